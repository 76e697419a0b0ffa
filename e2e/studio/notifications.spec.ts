import type { Locator, Page } from '@playwright/test';
import type { IdleHouse } from '../fixtures.ts';
import { expectAccessible, watchFaults } from '../page-checks.ts';
import { signUp } from '../session.ts';
import { hold } from './network.ts';
import { expect, make, requestsOf, test } from './someone.ts';

const toasts = (page: Page) => page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem');

/** Marks requests as failed with a message, as after a failure of the engine. */
const fail = ({ pool }: IdleHouse, ids: string | string[], message: string) =>
  pool.query(
    `update requests set status = 'failed', refunded = true, error_message = $2, finished_at = now() where id = any($1)`,
    [[ids].flat(), message],
  );

test('browser notifications, if switched on, report only requests that ended while the page was hidden', async ({
  page,
  context,
  idle,
}) => {
  const { call } = await signUp(context, idle);
  const faults = watchFaults(page);
  await context.grantPermissions(['notifications']);
  // headless browsers show no notifications, so the calls are recorded instead
  await page.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', { value: 'granted' });
    // recorded in sessionStorage, which survives reloads
    ServiceWorkerRegistration.prototype.showNotification = async (title, options) => {
      const shown = [title, options?.body, (options?.data as { href: string } | undefined)?.href];
      sessionStorage.told = JSON.stringify([...JSON.parse(sessionStorage.told ?? '[]'), shown]);
    };
  });
  const told = () =>
    page.evaluate(async () => {
      // the page polls immediately when it comes back online
      for (const type of ['offline', 'online']) dispatchEvent(new Event(type));
      // the page queries the locks before it shows a notification; this later query is answered after that one
      await navigator.locks.query();
      await navigator.serviceWorker.ready;
      return JSON.parse(sessionStorage.told ?? '[]') as unknown;
    });
  const look = (state: 'hidden' | 'visible') =>
    page.evaluate(state => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  // reloads, so that the page knows the requests as live before they end
  const submit = async (...prompts: string[]) => {
    const ids: string[] = [];
    for (const prompt of prompts)
      ids.push((await (await call('POST', '/v1/z_image/generate', { prompt })).json()).request_id);
    await page.reload();
    await expect(page).toHaveTitle(new RegExp(`^\\(${prompts.length}\\) `));
    return ids;
  };

  await page.goto(`${idle.baseURL}/account/notices`);
  await expectAccessible(page);
  const wanted = page.getByRole('switch', { name: 'Notifications of the browser' });
  await expect(wanted).not.toBeChecked();
  await fail(idle, await submit('a fig'), 'Told here.');
  await expect(toasts(page)).toContainText('Told here.');
  await wanted.click();
  await expect(wanted).toBeChecked();
  await fail(idle, await submit('a pear'), 'Seen here.');
  await expect(toasts(page)).toContainText('Seen here.');
  expect(await told()).toEqual([]);

  // requests that end between two polls share one notification
  const both = await submit('a lime', 'a plum');
  await look('hidden');
  await fail(idle, both, 'Both broke.');
  const many = ['2 generations have ended', expect.stringContaining('Both broke.'), '/history'];
  await expect.poll(told, { timeout: 20_000 }).toEqual([many]);

  const [id] = await submit('far away');
  await look('hidden');
  idle.startWorker();
  await call('GET', `/v1/requests/${id}/status?wait=60`);
  await expect.poll(told, { timeout: 20_000 }).toEqual([many, ['Ready', 'far away', `/history/${id}`]]);
  expect(faults).toEqual([]);
});

test.describe('on a touch screen', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('on a phone a notice is above the bottom bar, or at the top when a keyboard or dialog covers the bottom', async ({
    page,
    context,
    house,
  }) => {
    const someone = await signUp(context, house);
    await make(someone, 'z_image', { prompt: 'a fig' });
    const told = toasts(page);
    const boxOf = async (part: Locator) => (await part.boundingBox())!;
    await page.route('**/v1/requests/*/favourite', route => route.fulfill({ status: 500, json: {} }));
    const tell = async () => {
      await page.getByRole('button', { name: /^More/ }).first().click();
      await page.getByRole('menuitem', { name: 'Favourite' }).click();
      await expect(told).toHaveCount(1);
    };

    await page.goto('/history');
    await tell();
    const bar = page.getByRole('navigation', { name: 'Main, short' });
    const gap = async (below: Locator) => {
      const { y, height } = await boxOf(told);
      return (await boxOf(below)).y - (y + height);
    };
    await expect.poll(() => gap(bar)).toBeGreaterThanOrEqual(0);
    expect(await gap(bar)).toBeLessThan(24);

    // the on-screen keyboard covers the bottom of the page
    await page.getByRole('searchbox').tap();
    await expect.poll(async () => (await boxOf(told)).y).toBeLessThan(100);

    await page.goto('/create/z_image');
    await tell();
    const composer = page.getByRole('region', { name: 'Composer' });
    await expect.poll(() => gap(composer)).toBeGreaterThanOrEqual(0);
    expect(await gap(composer)).toBeLessThan(24);
    await page.getByRole('button', { name: 'Write a prompt' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expect.poll(async () => (await boxOf(told)).y).toBeLessThan(100);
  });
});

test('requests that end together share one notice, and a single request gets its own', async ({
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
  const told = toasts(page);
  const show = (title: string) => told.filter({ hasText: title }).getByRole('button', { name: 'Show' });
  const live = (count: number) => expect(page).toHaveTitle(new RegExp(`^\\(${count}\\) `));
  const message = 'The engine failed; the gems were refunded.';

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
  await fail(idle, one!, message);
  await expect(told).toContainText('A generation failed');
  await expect(told.getByRole('button', { name: 'Show' })).toHaveCount(0);
  await fail(idle, two!, message);
  await expect(told).toContainText(['2 generations failed']);
  const gems = (await requestsOf({ call }, '?status=failed')).reduce(
    (sum, { billing }) => sum + billing.gems_charged,
    0,
  );
  await expect(told).toContainText(`The engine failed; ${gems} gems were refunded.`);
  await show('2 generations failed').click();
  await expect(page).toHaveURL(`${idle.baseURL}/history?status=failed`);
  idle.startWorker();
  await call('GET', `/v1/requests/${three}/status?wait=60`);
  await expect(told).toContainText('Ready');
  await show('Ready').click();
  await expect(page).toHaveURL(`${idle.baseURL}/history/${three}`);
  expect(faults).toEqual([]);
});
