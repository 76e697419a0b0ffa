import { expect, someone, test } from '../house-with-provider.ts';
import { expectAccessible, watchFaults } from '../page-checks.ts';
import { refuseOldSignIn } from './network.ts';

test('a user signs up through a provider, and confirms an old sign-in there', async ({ page, place }) => {
  const faults = watchFaults(page);
  const ada = someone();
  // the provider consents at once
  let consents = 0;
  await page.route(`${place.provider.issuer}/authorize?*`, (route, request) => {
    consents++;
    return route.fulfill({ status: 302, headers: { location: place.provider.agree(request.url(), ada) } });
  });
  await page.goto(`${place.baseURL}/sign-in?next=/account/security`);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Continue with Single sign-on' }).click();
  await expect(page).toHaveURL(`${place.baseURL}/account/security`);
  const ways = page.getByRole('list', { name: 'Ways to sign in' }).getByRole('listitem');
  await expect(ways).toHaveCount(1);
  await expect(ways).toContainText('Single sign-on');

  // the server asks for a recent sign-in
  await refuseOldSignIn(page, '**/api/account/passkeys/challenge');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByLabel('Name').fill('My laptop');
  await page.getByRole('button', { name: 'Create passkey' }).click();
  const again = page.getByRole('dialog', { name: 'Confirm it is you' });
  await expect(again).toContainText('You return to this page afterwards, and start over.');
  await expectAccessible(page);
  await again.getByRole('button', { name: 'Sign in with Single sign-on' }).click();
  await expect.poll(() => consents).toBe(2);
  await expect(page).toHaveURL(`${place.baseURL}/account/security`);
  await expect(ways).toHaveCount(1);
  expect(faults).toEqual([]);
});

test('a sign-in through a provider that does not start is reported, and can be tried again', async ({
  page,
  place,
}) => {
  await page.route('**/api/auth/signin/oidc*', route => route.abort());
  await page.goto(`${place.baseURL}/sign-in`);
  await page.getByRole('button', { name: 'Continue with Single sign-on' }).click();
  await expect(page.getByText('The sign-in did not start.', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Continue with Single sign-on' })).toBeEnabled();
});
