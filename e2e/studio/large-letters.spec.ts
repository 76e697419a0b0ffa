import { pageOf, signIn } from '../member.ts';
import { expect, make, test as base } from './someone.ts';

/** Base test in a browser whose default font size is doubled. */
const test = base.extend({
  launchOptions: [
    ({ launchOptions }, use) =>
      use({ ...launchOptions, args: [...(launchOptions.args ?? []), '--blink-settings=defaultFontSize=32'] }),
    { scope: 'worker' },
  ],
});
test.use({ viewport: { width: 390, height: 844 } });

test('studio pages and the Create button fit a phone with a doubled font size', async ({ someone, house }) => {
  const { page, id, call } = someone;
  await house.pool.query('update accounts set top_up_limit = 25000 where id = $1', [id]);
  const { payment } = (await (await call('POST', '/api/account/top-ups', { gems: 25_000 })).json()) as {
    payment: { id: string };
  };
  const { request_id } = await make(someone, 'z_image', { prompt: 'a fig on a table in the evening' });
  await house.pool.query('update accounts set balance = 9876543210 where id = $1', [id]);
  const cast = ['/characters', '/references', '/uploads', '/recipes', '/collections'];
  for (const path of [
    ...cast,
    '/account/api',
    '/account/gems',
    '/matrix',
    `/history/${request_id}`,
    `/receipt/${payment.id}`,
  ]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeAttached();
    // empty lists show their message once they have loaded
    await page.waitForLoadState('networkidle');
    await page.evaluate(() => document.fonts.ready);
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth), path)
      .toBeLessThanOrEqual(0);
  }
  await page.goto('/account/api');
  const code = page.getByRole('figure').filter({ has: page.getByRole('button', { name: /^Copy/ }) });
  expect(await code.first().evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await page.goto(`/history/${request_id}`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const edit = page.getByRole('dialog', { name: 'Edit' });
  for (const part of [edit.getByRole('button', { name: 'The whole image' }), edit.getByRole('textbox')]) {
    const { x, width } = (await part.boundingBox())!;
    expect(x + width).toBeLessThanOrEqual(390);
  }
  await page.goto('/create/mango');
  const write = page.getByRole('button', { name: 'Write a prompt' });
  expect((await write.boundingBox())!.width).toBeGreaterThan(200);
  await write.click();
  await expect(page.getByRole('dialog').getByRole('button', { name: /^Create/ })).toBeInViewport({ ratio: 1 });
  const tools = page.getByRole('group', { name: 'Draft' });
  expect(await tools.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0);

  // a notice does not cover the bar of the collapsed form either
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.route('**/v1/requests/*/favourite', route => route.fulfill({ status: 500, json: {} }));
  await page.getByRole('article').getByRole('button', { name: 'More' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Favourite' }).press('Enter');
  const notice = page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem');
  await expect
    .poll(async () => {
      const [{ y, height }, bar] = [(await notice.boundingBox())!, await write.locator('..').boundingBox()];
      return bar!.y - (y + height);
    })
    .toBeGreaterThanOrEqual(0);
});

test('public, account and operator pages fit a phone with a doubled font size', async ({ someone, house }) => {
  const { page, context, id, email } = someone;
  await make(someone, 'z_image', { prompt: 'a fig' });
  await house.pool.query('update accounts set operator = true, balance = 9876543210 where id = $1', [id]);
  await signIn(await pageOf(house.baseURL), email);
  const fits = async (...paths: string[]) => {
    for (const path of paths) {
      await page.goto(path);
      await page.waitForLoadState('networkidle');
      await page.evaluate(() => document.fonts.ready);
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth), path)
        .toBeLessThanOrEqual(0);
    }
  };
  await fits('/account/profile', '/account/security', '/admin/engines', '/verify-email?token=any', '/no/page');
  await fits('/admin/accounts', `/admin/accounts/${id}`, `/admin/requests?account=${id}`);
  await page.goto('/admin/accounts');
  const row = page.getByRole('row', { name: email });
  // the address must not be squeezed into a narrow column beside the balance
  expect((await row.getByRole('link', { name: email }).boundingBox())!.width).toBeGreaterThan(200);
  await context.clearCookies();
  await fits(
    '/',
    '/sign-in',
    '/sign-up',
    '/reset-password',
    '/docs',
    '/docs/contract',
    '/docs/models/mango',
    '/docs/generate',
  );
});

test('the signed-out notice and its sign-in link fit a phone with a doubled font size', async ({
  someone: { page, context },
}) => {
  await page.goto('/uploads');
  await context.clearCookies();
  const told = page.locator('output', { hasText: 'You are signed out.' });
  await expect(async () => {
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
    await expect(told).toBeVisible({ timeout: 1_000 });
  }).toPass();
  expect(await told.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBeLessThanOrEqual(0);
  const strip = (await told.boundingBox())!;
  for (const part of [told.locator('span'), told.getByRole('link', { name: 'Sign in again' })]) {
    const { x, y, width, height } = (await part.boundingBox())!;
    expect(x + width).toBeLessThanOrEqual(390);
    expect(y + height).toBeLessThanOrEqual(strip.y + strip.height);
  }
});
