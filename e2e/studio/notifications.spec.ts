import { expectAccessible } from '../accessible.ts';
import { signUp, watchFaults } from '../session.ts';
import { expect, hold, requestsOf, test } from './someone.ts';

test('the browser tells what ended while nobody looked, once it is asked for, and not what was seen', async ({
  someone: { page, context, call },
}) => {
  await context.grantPermissions(['notifications']);
  // headless browsers show nothing, and some say so: what would be shown is noted
  await page.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', { value: 'granted' });
    const told: unknown[] = [];
    Object.assign(window, { told });
    ServiceWorkerRegistration.prototype.showNotification = async (title, options) =>
      void told.push([title, options?.body, (options?.data as { href: string } | undefined)?.href]);
  });
  const told = () => page.evaluate(() => (window as unknown as { told: unknown[] }).told);
  const look = (state: 'hidden' | 'visible') =>
    page.evaluate(state => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  const make = async (prompt: string) => {
    const body = { prompt, resolution: '1K' };
    const { request_id } = await (await call('POST', '/v1/mango/generate', body)).json();
    // found as live at the first look, ended at a later one
    await page.reload();
    await expect(page.getByRole('heading', { name: 'In this browser' })).toBeVisible();
    return request_id as string;
  };

  await page.goto('/account/notices');
  await expectAccessible(page);
  const wanted = page.getByRole('switch', { name: 'Notifications of the browser' });
  await expect(wanted).not.toBeChecked();
  await make('told here');
  await expect(page.getByText('told here', { exact: true })).toBeVisible();
  await wanted.click();
  await expect(wanted).toBeChecked();
  await make('seen here');
  await expect(page.getByText('seen here', { exact: true })).toBeVisible();
  expect(await told()).toEqual([]);

  const id = await make('far away');
  await look('hidden');
  await expect.poll(told, { timeout: 20_000 }).toEqual([['Ready', 'far away', `/history/${id}`]]);
});

test('what ends together is told once, over a phone as over a desk, and what ends alone by itself', async ({
  page,
  context,
  idle,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { call } = await signUp(context, idle);
  const faults = watchFaults(page);
  const submit = async (prompt: string) => {
    const { request_id } = await (await call('POST', '/v1/z_image/generate', { prompt })).json();
    return request_id as string;
  };
  const told = page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem');
  const show = (title: string) => told.filter({ hasText: title }).getByRole('button', { name: 'Show' });
  const live = (count: number) => expect(page).toHaveTitle(new RegExp(`^\\(${count}\\) `));
  const fail = (id: string) =>
    idle.pool.query(
      `update requests set status = 'failed', refunded = true, error_message = 'The engine failed; the gems were refunded.', finished_at = now() where id = $1`,
      [id],
    );

  const figs = await Promise.all(['a fig', 'a fig', 'a pear', 'a quince'].map(submit));
  await page.goto(`${idle.baseURL}/account/notices`);
  await live(4);
  const look = await hold(page, '**/v1/requests?*');
  idle.startWorker();
  for (const id of figs) await call('GET', `/v1/requests/${id}/status?wait=60`);
  look();
  await expect(told).toHaveCount(1);
  await expect(told).toContainText('4 results are ready');
  await expect(told).toContainText('a pear');
  await expectAccessible(page);
  await show('4 results are ready').click();
  await expect(page).toHaveURL(`${idle.baseURL}/history`);
  await expect(told).toHaveCount(0);
  await idle.stopStarted();

  const [one, two, three] = await Promise.all(['a plum', 'a lime', 'a kiwi'].map(submit));
  await page.goto(`${idle.baseURL}/account/notices`);
  await live(3);
  await fail(one!);
  await expect(told).toContainText('A generation failed');
  await expect(told.getByRole('button', { name: 'Show' })).toHaveCount(0);
  await fail(two!);
  await expect(told).toContainText(['2 generations failed']);
  const gems = (await requestsOf({ call }, '?status=failed')).reduce(
    (sum, { billing }) => sum + billing.gems_charged,
    0,
  );
  await expect(told).toContainText(`The engine failed; ${gems} gems were refunded.`);
  await show('2 generations failed').click();
  await expect(page).toHaveURL(`${idle.baseURL}/history?status=failed`);
  idle.startWorker();
  await expect(told).toContainText('Ready');
  await show('Ready').click();
  await expect(page).toHaveURL(`${idle.baseURL}/history/${three}`);
  expect(faults).toEqual([]);
});
