import { randomUUID } from 'node:crypto';
import { expect, test } from '../fixtures.ts';
import { openMember, PASSWORD } from '../member.ts';
import { expectFineEverywhere, watchFaults } from '../page-checks.ts';
import { signUp } from '../session.ts';
import { hold } from './network.ts';

test('signing up validates the form, creates the account and leads to the page first requested', async ({ page }) => {
  const faults = watchFaults(page);
  await page.goto('/account/profile');
  await expect(page).toHaveURL(/\/sign-in\?next=%2Faccount%2Fprofile$/);
  await page.getByRole('link', { name: 'Create one' }).click();
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('Fill this in.')).toHaveCount(2);
  await page.getByLabel('E-mail').fill('nobody');
  await page.getByLabel('Password', { exact: true }).fill('short');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('Must be an e-mail address such as ada@example.com')).toBeVisible();
  await expect(page.getByText('Must be 10 to 200 characters long.')).toBeVisible();

  const email = `${randomUUID()}@example.com`;
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL(/\/account\/profile$/);
  await expect(page.getByRole('region', { name: 'E-mail address' })).toContainText(email);
  expect(faults).toEqual([]);
});

test('Enter before the page is interactive submits nothing, so that no password gets into the URL', async ({
  page,
}) => {
  const goOn = await hold(page, '**/_next/static/chunks/*.js');
  await page.goto('/sign-in', { waitUntil: 'commit' });
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  goOn();
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeEnabled();
  await expect(page).toHaveURL(/\/sign-in$/);
});

test('a signed-out user who opens an e-mail verification link is told which account to sign in to', async ({
  page,
}) => {
  await page.goto('/verify-email?token=any');
  await expect(page).toHaveURL(/\/sign-in\?next=%2Fverify-email/);
  await expect(page.getByText('Sign in to the account that the address is for.')).toBeVisible();
  await page.goto('/sign-in?next=%2Fhistory');
  await expect(page.getByText('Sign in to the account')).toHaveCount(0);
});

test('Tab moves the focus from the e-mail field to the password field', async ({ page }) => {
  await page.goto('/sign-in');
  await page.getByLabel('E-mail').press('Tab');
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
});

test('an e-mail address that already has an account is reported at its field', async ({ page, house }) => {
  const { email } = await openMember(house);
  await page.goto('/sign-up');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByLabel('E-mail')).toHaveAccessibleDescription(/If it is yours, sign in/);
});

test('after too many wrong passwords the right one is refused too, and the page says how long to wait', async ({
  page,
  house,
}) => {
  const { email } = await openMember(house);
  await page.goto('/sign-in');
  const attempt = async (password: string) => {
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    const answered = page.waitForResponse(response => response.url().endsWith('/api/session'));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await (await answered).finished();
  };
  await attempt('wrong wrong wrong');
  await expect(page.getByRole('alert').filter({ hasText: 'password is wrong' })).toBeVisible();
  for (let i = 0; i < 9; i++) await attempt('wrong wrong wrong');
  await attempt(PASSWORD);
  await expect(page.getByText(/Too many attempts. Try again in \d+ minutes./)).toBeVisible();
  await expect(page.getByText('even the right password is refused')).toBeVisible();
});

test('sign-in does not redirect to another site', async ({ page, context, house }) => {
  await signUp(context, house);
  await page.goto('/sign-in?next=//example.org/account');
  await expect(page).toHaveURL(`${house.baseURL}/create`);
});

test('the requested page is kept through sign-up, sign-in and password reset', async ({ page, house }) => {
  await page.goto('/sign-in?next=/account/api');
  const follow = (name: string) => page.getByRole('link', { name }).click();
  await follow('Create one');
  await expect(page).toHaveURL(/\/sign-up\?next=%2Faccount%2Fapi$/);
  await follow('Sign in');
  await expect(page).toHaveURL(/\/sign-in\?next=%2Faccount%2Fapi$/);
  await follow('Forgot it?');
  await expect(page).toHaveURL(/\/reset-password\?next=%2Faccount%2Fapi$/);
  await follow('Back to sign-in');
  const { email } = await openMember(house);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(/\/account\/api$/);
});

test('sign-in leads to the requested page with its query', async ({ page, house }) => {
  const { email } = await openMember(house, { operator: true });
  for (const wanted of ['/admin/limits', '/create/ltx_video', '/history?type=video&q=a+fig']) {
    await page.context().clearCookies();
    await page.goto(wanted);
    await expect(page).toHaveURL(`/sign-in?next=${encodeURIComponent(wanted)}`);
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page).toHaveURL(wanted);
  }
  await expect(page.getByRole('searchbox', { name: 'Words in the prompt' })).toHaveValue('a fig');
});

test('a requested URL that is too long for a header is reduced to its path', async ({ page }) => {
  await page.goto(`/history?q=${'='.repeat(2_000)}`);
  await expect(page).toHaveURL('/sign-in?next=%2Fhistory');
});

test('a link followed after the session ended leads to sign-in, which returns to its page', async ({
  page,
  context,
  house,
}) => {
  await signUp(context, house);
  await page.goto('/uploads');
  await context.clearCookies();
  await page.getByRole('link', { name: 'Characters' }).click();
  await expect(page).toHaveURL('/sign-in?next=%2Fcharacters');
});

test('an invitation creates one account for its e-mail address, and then no longer works', async ({ page, house }) => {
  const operator = await openMember(house, { operator: true });
  const email = `${randomUUID()}@example.com`;
  const { url } = (await (await operator.page.post('/api/admin/invites', { data: { email } })).json()) as {
    url: string;
  };
  await page.goto(url);
  await expect(page.getByLabel('E-mail')).toHaveValue(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL(/\/create$/);
  await page.context().clearCookies();
  await page.goto(url);
  await expect(page.getByRole('heading', { name: 'This invitation no longer works' })).toBeVisible();
});

test('a reset link sets a password and signs in, and then no longer works', async ({ page, house }) => {
  const operator = await openMember(house, { operator: true });
  const other = await openMember(house);
  const { url } = (await (
    await operator.page.post(`/api/admin/accounts/${other.accountId}/password-reset`)
  ).json()) as {
    url: string;
  };
  await page.goto(`${url}&next=%2F%2Fexample.org`);
  await expect(page.getByRole('link', { name: 'Back to sign-in' })).toHaveAttribute('href', '/sign-in');
  await page.goto(`${url}&next=%2Faccount%2Fapi`);
  await page.getByLabel('New password').fill('another long sentence');
  await page.getByRole('button', { name: 'Set password and sign in' }).click();
  await expect(page).toHaveURL(/\/account\/api$/);
  await page.goto(url);
  await page.getByRole('link', { name: 'Continue signed in' }).click();
  await expect(page).toHaveURL(/\/account\/profile$/);
  await page.context().clearCookies();
  // a used link is reported before the user enters a new password
  await page.goto(url);
  await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
  await expect(page.getByLabel('New password')).toBeHidden();
});

test('a reset link that is used elsewhere while its page is open offers to request another one', async ({
  page,
  house,
}) => {
  const operator = await openMember(house, { operator: true });
  const { accountId } = await openMember(house);
  const asked = await operator.page.post(`/api/admin/accounts/${accountId}/password-reset`);
  const { url } = (await asked.json()) as { url: string };
  await page.goto(url);
  await house.pool.query('update secret_links set used_at = now() where account_id = $1', [accountId]);
  await page.getByLabel('New password').fill('a third long sentence');
  await page.getByRole('button', { name: 'Set password and sign in' }).click();
  await expect(page.getByRole('link', { name: 'Ask for another link' })).toBeVisible();
});

test('after a reset mail is requested, the page shows its address and lets the user correct it', async ({
  page,
  idle,
}) => {
  const { baseURL } = await idle.startWeb({ SMTP_URL: 'smtp://127.0.0.1:9' });
  await page.route('**/api/password-reset', route => route.fulfill({ status: 202, json: { message: 'It is sent.' } }));
  await page.goto(`${baseURL}/reset-password`);
  await page.getByLabel('E-mail').fill('ada@exampel.com');
  await page.getByRole('button', { name: 'Send the link' }).press('Enter');
  await expect(page.getByRole('status').filter({ hasText: 'It is sent.' })).toContainText('ada@exampel.com');
  const again = page.getByRole('button', { name: 'Ask again' });
  await expect(again).toBeFocused();
  await again.press('Enter');
  await expect(page.getByLabel('E-mail')).toBeFocused();
  await expect(page.getByLabel('E-mail')).toHaveValue('ada@exampel.com');
});

for (const path of ['/sign-in', '/sign-up', '/sign-up?invite=none', '/reset-password', '/reset-password?token=none']) {
  test(`${path} fits phone and desktop and is accessible, light and dark`, async ({ page }) => {
    await expectFineEverywhere(page, path);
  });
}
