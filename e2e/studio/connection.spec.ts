import { expect, test } from '../fixtures.ts';
import { openMember } from '../member.ts';

test('what is gone is said: the network and the server by a banner, a page that cannot come by a page of its own', async ({
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
  // what was asked a moment ago is not asked again yet
  await expect(async () => {
    await comeBack();
    await expect(banner.filter({ hasText: 'The server does not answer.' })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await page.goto(`${web.baseURL}/history`);
  await expect(page.getByRole('heading', { name: 'The orchard is out of reach.' })).toBeVisible();

  await idle.startWeb({ PORT: new URL(web.baseURL).port });
  await page.getByRole('link', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'Your history is empty' })).toBeVisible();
});
