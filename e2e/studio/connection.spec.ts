import type { Request } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { openMember, PASSWORD } from '../member.ts';
import { watchFaults } from '../page-checks.ts';
import { signUp } from '../session.ts';
import { openCreate } from './create-page.ts';
import { chooseFiles, dropFiles, pictureFile } from './device-files.ts';
import { loseAnswers } from './network.ts';
import { make, untilItListens } from './someone.ts';

test('a banner reports a lost network or server; a page that cannot load shows an offline page and retries', async ({
  idle,
  page,
  context,
}) => {
  const web = await idle.startWeb();
  const member = await openMember({ ...idle, baseURL: web.baseURL });
  const [name = '', value = ''] = member.cookie.split('=');
  await context.addCookies([{ name, value, url: web.baseURL }]);
  await page.goto(`${web.baseURL}/uploads`);
  await page.evaluate(() => navigator.serviceWorker.ready);
  const banner = page.getByRole('status');
  const comeBack = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));

  await context.setOffline(true);
  await expect(banner.filter({ hasText: 'You are offline.' })).toBeVisible();
  await context.setOffline(false);
  await expect(banner.filter({ hasText: 'You are offline.' })).toBeHidden();

  await web.kill();
  // retried, as fresh data is not refetched yet
  await expect(async () => {
    await comeBack();
    await expect(banner.filter({ hasText: 'The server does not answer.' })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await page.goto(`${web.baseURL}/history`);
  await expect(page.getByRole('heading', { name: 'The orchard is out of reach.' })).toBeVisible();

  await idle.startWeb({ PORT: new URL(web.baseURL).port });
  // the page retries by itself
  await expect(page.getByRole('heading', { name: 'Your history is empty' })).toBeVisible();
});

test('a dialog that cannot load while offline is reported, and opens when online', async ({ house, page, context }) => {
  await signUp(context, house);
  await page.goto('/account/api');
  const create = page.getByRole('button', { name: 'Create key' });
  await page.keyboard.press('Shift');
  await page.waitForLoadState('networkidle');
  await context.setOffline(true);
  await create.click();
  await expect(page.getByText('This could not be opened.', { exact: true })).toBeVisible();
  const reason = 'You may be offline, or Pomona has a new version. Try again, or reload the page.';
  await expect(page.getByText(reason, { exact: true })).toBeVisible();
  await expect(create).toHaveAttribute('aria-expanded', 'false');

  // this time the code of the dialog is loaded, but not its content
  await context.setOffline(false);
  const asked: Request[] = [];
  page.on('request', request => request.resourceType() === 'script' && asked.push(request));
  await create.hover();
  await expect.poll(() => asked.length > 0 && asked.every(request => request.timing().responseEnd > -1)).toBe(true);
  await context.setOffline(true);
  await create.click();
  const dialog = page.getByRole('dialog', { name: 'Create a key' });
  await expect(dialog.getByRole('alert')).toContainText('This part did not load.');
  // another attempt fails, and then it loads by itself when the connection is back
  const again = page.waitForEvent('requestfailed');
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await again;
  await expect(dialog.getByRole('alert')).toContainText('This part did not load.');
  await context.setOffline(false);
  await expect(dialog.getByLabel('Name')).toBeFocused();
});

test('a result that could not be opened while offline opens on the first press after reconnecting', async ({
  house,
  page,
  context,
}) => {
  const someone = await signUp(context, house);
  await make(someone, 'z_image', { prompt: 'a fig', resolution: '1k' });
  await page.goto('/history');
  const tile = page.locator('[data-tile="0"]');
  await untilItListens(tile);
  // waits for the code of notices, which is loaded in the background
  await page.waitForLoadState('networkidle');
  await context.setOffline(true);
  await tile.dispatchEvent('click');
  await expect(page.getByText('This could not be opened.', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/history$/);
  await context.setOffline(false);
  await tile.dispatchEvent('click');
  await expect(page.getByRole('dialog', { name: 'Result' })).toBeVisible();
});

test('a failure to load code is explained, and the chosen or dropped file can be tried again', async ({
  house,
  page,
  context,
}) => {
  await signUp(context, house);
  const reason = 'You may be offline, or Pomona has a new version.';
  const loseCode = async () => {
    // waits for the code of notices, which is loaded in the background
    await page.waitForLoadState('networkidle');
    await page.route('**/_next/static/**/*.js', route => route.abort());
  };
  await page.goto('/uploads');
  await loseCode();
  await chooseFiles(page.getByLabel('Choose files'), await pictureFile());
  const rows = page.getByRole('list', { name: 'Uploads' }).getByRole('listitem');
  await expect(rows.getByRole('alert')).toHaveText(reason);
  await page.unrouteAll();
  await rows.getByRole('button', { name: 'Try again with portrait.png' }).click();
  await expect(rows.filter({ hasText: 'PNG image' })).toHaveCount(1);

  // the file may carry settings, which only the missing code could read
  await openCreate(page, '/create/mango');
  await loseCode();
  await dropFiles(page, [await pictureFile()]);
  await expect(page.getByText('This file was not used.', { exact: true })).toBeVisible();
  await expect(page.getByText(reason, { exact: true })).toBeVisible();
  await page.unrouteAll();
  await dropFiles(page, [await pictureFile()]);
  await expect(page.getByText('1 of 10 images')).toBeVisible();
});

test('an ended session is reported in the dialog and a banner, and the form can be sent after signing in again', async ({
  house,
  page,
  context,
}) => {
  const { call, email } = await signUp(context, house);
  await page.setViewportSize({ width: 390, height: 640 });
  await page.goto('/account/api');
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a key' });
  await dialog.getByLabel('Name').fill('nightly batch');
  await context.clearCookies();
  const create = dialog.getByRole('button', { name: 'Create key' });
  await create.click();
  await expect(dialog.getByRole('alert')).toContainText(
    'You are signed out. Sign in in another tab, then continue here.',
  );
  const signsIn = context.waitForEvent('page');
  await dialog.getByRole('link', { name: 'To the sign-in page' }).click();
  await (await signsIn).close();
  await expect(dialog.getByRole('alert')).toBeInViewport({ ratio: 1 });
  const told = page.locator('output', { hasText: 'You are signed out.' });
  const comeBack = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await expect(async () => {
    await comeBack();
    await expect(told).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect(told.locator('a')).toHaveAttribute('href', '/sign-in');

  expect((await call('POST', '/api/session', { email, password: PASSWORD })).status()).toBe(200);
  await create.click();
  await expect(page.getByRole('main').getByText('nightly batch').first()).toBeVisible();
  await expect(async () => {
    await comeBack();
    await expect(told).toBeHidden({ timeout: 1_000 });
  }).toPass();
});

test('a confirmation dialog links to the sign-in page after the session ended, and works after signing in', async ({
  house,
  page,
  context,
}) => {
  const { call, email } = await signUp(context, house);
  expect((await call('POST', '/api/account/keys', { name: 'nightly batch' })).status()).toBe(201);
  await page.goto('/account/api');
  await page.getByRole('button', { name: 'Revoke nightly batch' }).click();
  const dialog = page.getByRole('dialog', { name: 'Revoke “nightly batch”?' });
  const revoke = dialog.getByRole('button', { name: 'Revoke key' });
  await expect(revoke).toBeVisible();
  await context.clearCookies();
  await revoke.click();
  const signsIn = context.waitForEvent('page');
  await dialog.getByRole('alert').getByRole('link', { name: 'To the sign-in page' }).click();
  await (await signsIn).close();
  expect((await call('POST', '/api/session', { email, password: PASSWORD })).status()).toBe(200);
  await revoke.click();
  await expect(page.getByText('nightly batch is revoked.', { exact: true })).toBeVisible();
});

test('the offline banner does not cover the fixed form', async ({ house, page, context }) => {
  await signUp(context, house);
  await page.setViewportSize({ width: 1440, height: 900 });
  await openCreate(page, '/create/mango');
  await context.setOffline(true);
  const told = page.getByRole('status').filter({ hasText: 'You are offline.' });
  await expect(told).toBeVisible();
  const form = page.getByRole('region', { name: 'Settings' });
  await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
  const strip = (await told.boundingBox())!;
  const place = (await form.boundingBox())!;
  expect(strip.y).toBe(0);
  expect(place.y).toBe(strip.height);
  expect(place.y + place.height).toBe(900);
});

test('on a phone, the offline banner also says that creations are sent after reconnecting', async ({
  house,
  page,
  context,
}) => {
  await signUp(context, house);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/uploads');
  await page.waitForLoadState('networkidle');
  await context.setOffline(true);
  const words = page.getByText(/what you create is sent when you are back/);
  await expect(words).toBeVisible();
  const [{ width, y, height }, strip] = [(await words.boundingBox())!, (await page.locator('.told').boundingBox())!];
  expect(width).toBeGreaterThan(200);
  expect([y >= strip.y, y + height <= strip.y + strip.height]).toEqual([true, true]);
});

test('a server-rendered form stays on the page while its code is loading', async ({ house, page, context }) => {
  // a result whose image is known before the code of the form is loaded, and too few gems for the recipe
  const someone = await signUp(context, house);
  await make(someone, 'z_image', { prompt: 'a fig', resolution: '1k' });
  const long = { prompt: 'a walk', duration: '16', resolution: '720p' };
  const { request_id } = await (await someone.call('POST', '/v1/melon/generate', long)).json();
  await someone.call('POST', `/v1/requests/${request_id}/cancel`);
  const faults = watchFaults(page);
  await page.addInitScript(() => {
    const form = () => document.querySelector('form#create');
    let stands = false;
    new MutationObserver(() => {
      if (stands && !form()) document.documentElement.dataset.lost = '';
      stands ||= form() !== null;
    }).observe(document, { childList: true, subtree: true });
  });
  for (const [path, width, asks, done] of [
    ['/recipes/storyboard', 390, 'gems', 'No runs yet.'],
    ['/create/z_image', 1440, 'notices', 'left after'],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    const html = await (await page.request.get(path)).text();
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/_next/static/**/*.js', async route => {
      if (!html.includes(new URL(route.request().url()).pathname)) {
        ask();
        await held;
      }
      await route.continue();
    });
    const answered = page.waitForResponse(`**/api/account/${asks}`);
    await page.goto(path, { waitUntil: 'commit' });
    await asked;
    await answered;
    release();
    await untilItListens(page.locator('form#create'));
    await expect(page.getByText(done)).toBeVisible();
    await expect(page.locator('html[data-lost]'), path).toHaveCount(0);
    await page.unrouteAll();
  }
  expect(faults).toEqual([]);
});

test('a form submitted while offline reports it, keeps its input, and can be sent after reconnecting', async ({
  house,
  page,
  context,
}) => {
  await signUp(context, house);
  await page.goto('/account/api');
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a key' });
  await dialog.getByLabel('Name').fill('render script');
  await page.waitForLoadState('networkidle');
  await context.setOffline(true);
  const create = dialog.getByRole('button', { name: 'Create key' });
  await create.click();
  await expect(dialog.getByRole('alert')).toContainText('The server cannot be reached.');
  await context.setOffline(false);
  await create.click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('list', { name: 'API keys' })).toContainText('render script');
});

test('a deletion given up while offline is not performed later, and one with a lost response can be repeated', async ({
  house,
  page,
  context,
}) => {
  const { call } = await signUp(context, house);
  const { id } = await (await call('POST', '/v1/webhooks', { url: 'https://example.com/hook' })).json();
  await page.goto(`/account/webhooks/${id}`);
  const open = page.getByRole('button', { name: 'Delete' });
  const dialog = page.getByRole('dialog', { name: 'Delete the webhook?' });
  const confirm = dialog.getByRole('button', { name: 'Delete webhook' });
  await open.click();
  await expect(confirm).toBeVisible();
  await context.setOffline(true);
  await confirm.click();
  await expect(dialog.getByRole('alert')).toContainText('The server cannot be reached.');
  await dialog.getByRole('button', { name: 'Keep it' }).click();
  await context.setOffline(false);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Deliveries' })).toBeVisible();

  await loseAnswers(page, `**/v1/webhooks/${id}`);
  // polls of the page would otherwise notice the deletion first
  await page.route(`**/v1/webhooks/${id}`, route =>
    route.request().method() === 'GET' ? route.fulfill({ status: 503 }) : route.fallback(),
  );
  await open.click();
  await confirm.click();
  await expect(dialog.getByRole('alert')).toContainText('The server cannot be reached.');
  await confirm.click();
  await expect(page.getByRole('heading', { name: 'No webhooks yet' })).toBeVisible();
});
