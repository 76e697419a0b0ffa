import { expectAccessible } from '../accessible.ts';
import { expect, test } from './someone.ts';

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
