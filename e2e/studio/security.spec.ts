import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { TOTP } from 'otpauth';
import { expect, test } from '../fixtures.ts';
import { openMember, PASSWORD } from '../member.ts';
import { expectAccessible, watchFaults } from '../page-checks.ts';
import { signUp } from '../session.ts';
import { hold, holdAnswer, refuseOldSignIn } from './network.ts';

/** Adds a virtual authenticator with passkeys, whose user verification succeeds. */
async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
  } as const;
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
  });
}

test('a passkey is added, signs in, confirms an old sign-in, and cannot be removed as the last sign-in method', async ({
  page,
  context,
  house,
}) => {
  const faults = watchFaults(page);
  const { id, call } = await signUp(context, house);
  await addAuthenticator(page);
  await page.goto('/account/security');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByLabel('Name').fill('My laptop');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create passkey' }).click();
  const ways = page.getByRole('list', { name: 'Ways to sign in' }).getByRole('listitem');
  await expect(ways).toHaveCount(2);
  await expect(ways.last()).toContainText('My laptop');

  await call('DELETE', '/api/session');
  await page.goto('/sign-in?next=/account/security');
  await page.getByRole('button', { name: 'Continue with a passkey' }).click();
  await expect(page).toHaveURL(/\/account\/security$/);
  await expect(ways.last()).toContainText('last used');

  // the server asks for a recent sign-in
  await refuseOldSignIn(page, '**/api/account/sign-ins/*');
  await page.getByRole('button', { name: 'Remove E-mail and password' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  const again = page.getByRole('dialog', { name: 'Confirm it is you' });
  await expect(again.getByLabel('Password', { exact: true })).toBeVisible();
  await expectAccessible(page);
  // the request names the account, as a browser may have passkeys of several
  const signed = page.waitForRequest('**/api/session/passkey');
  await again.getByRole('button', { name: 'Continue with a passkey' }).click();
  expect((await signed).headers()['pomona-account']).toBe(id);
  await expect(ways).toHaveCount(1);
  await expect(ways).toContainText('My laptop');
  await expect(page.getByRole('button', { name: /^Remove/ })).toHaveCount(0);
  expect(faults).toEqual([]);
});

test('a signed-out user can sign in with the passkey of another account and reach the requested page', async ({
  page,
  context,
  house,
}) => {
  await signUp(context, house);
  await addAuthenticator(page);
  await page.goto('/account/security');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByLabel('Name').fill('My laptop');
  await page.getByRole('button', { name: 'Create passkey' }).click();
  await expect(page.getByRole('list', { name: 'Ways to sign in' }).getByRole('listitem')).toHaveCount(2);

  const { call } = await signUp(context, house);
  await page.goto('/create');
  await call('DELETE', '/api/session');
  // the sign-in page opens in the same document, which still has the data of the other account
  await page.evaluate(() => Object.assign(window, { isSame: true }));
  await page.getByRole('link', { name: 'Collections' }).click();
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  expect(await page.evaluate('window.isSame')).toBe(true);
  await page.getByRole('button', { name: 'Continue with a passkey' }).click();
  await expect(page.getByRole('heading', { name: 'Collections', level: 1 })).toBeVisible();
});

test('removing a sign-in method that is already deleted succeeds', async ({ page, context, house }) => {
  const { id } = await signUp(context, house);
  await house.pool.query(
    `insert into sign_ins (id, account_id, provider, subject) values (gen_random_uuid(), $1, 'github', $2)`,
    [id, randomUUID()],
  );
  await page.goto('/account/security');
  await page.getByRole('button', { name: 'Remove GitHub' }).click();
  await house.pool.query(`delete from sign_ins where account_id = $1 and provider = 'github'`, [id]);
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('GitHub removed.', { exact: true })).toBeVisible();
});

test('two-factor sign-in is set up with an app, accepts a recovery code at sign-in, and can be turned off', async ({
  page,
  context,
  house,
}) => {
  const faults = watchFaults(page);
  const { email, call } = await signUp(context, house);
  await page.goto('/account/security');
  const setUp = page.getByRole('button', { name: 'Set up…' });
  const dialog = page.getByRole('dialog');
  // the server asks for a recent sign-in; a user who dismisses the dialog is back where they were
  await refuseOldSignIn(page, '**/api/account/second-step');
  await setUp.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Confirm it is you' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText('This needs a sign-in within the last 10 minutes.', { exact: true })).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(setUp).toBeFocused();
  await setUp.click();
  const app = new TOTP({ secret: String(await dialog.locator('code').textContent()) });
  await expectAccessible(page);
  await dialog.getByLabel('Code').fill('123');
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await expect(dialog.getByText('Must be a code of 6 to 20 characters.')).toBeVisible();
  await dialog.getByLabel('Code').fill(app.generate());
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  const listed = dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(listed).toHaveCount(10);
  const codes = await listed.allTextContents();
  await expectAccessible(page);
  await expectToStay(page);
  await dialog.getByRole('button', { name: 'I have saved them' }).click();
  await expect(page.getByText('10 recovery codes left')).toBeVisible();

  await call('DELETE', '/api/session');
  await page.goto('/sign-in?next=/account/security');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByLabel('Code')).toBeFocused();
  await page.getByRole('button', { name: 'Use another account' }).click();
  await expect(page.getByLabel('E-mail')).toBeFocused();
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByLabel('Code').fill('000000');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByLabel('Code')).toHaveAccessibleDescription(/This code is wrong/);
  await page.getByLabel('Code').fill(String(codes[3]));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByText('9 recovery codes left')).toBeVisible();
  await page.getByRole('button', { name: 'Turn off…' }).click();
  await page.getByRole('button', { name: 'Turn off', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Set up…' })).toBeVisible();
  expect(faults).toEqual([]);
});

/** Expects the dialog with recovery codes to stay open: only its button closes it, as the codes are not shown again. */
async function expectToStay(page: Page) {
  const dialog = page.getByRole('dialog', { name: 'Save these recovery codes' });
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await expect(dialog.getByRole('button', { name: 'Close' })).toHaveCount(0);
  await expect(dialog.getByRole('listitem')).toHaveCount(10);
}

test('two-factor setup starts once on repeated presses, and new recovery codes can be made if an answer is lost', async ({
  page,
  context,
  house,
}) => {
  await signUp(context, house);
  await page.goto('/account/security');
  const begun: string[] = [];
  page.on('request', request => request.url().endsWith('/second-step') && begun.push(request.method()));
  const goOn = await hold(page, '**/api/account/second-step');
  const setUp = page.getByRole('button', { name: 'Set up…' });
  await setUp.click();
  await expect(setUp).toHaveAttribute('aria-busy', 'true');
  await setUp.click({ force: true });
  goOn();
  const dialog = page.getByRole('dialog');
  const app = new TOTP({ secret: String(await dialog.locator('code').textContent()) });
  expect(begun).toEqual(['POST']);
  await page.unroute('**/api/account/second-step');

  await page.route(
    '**/api/account/second-step',
    async route => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  const turnOn = dialog.getByRole('button', { name: 'Turn on' });
  await dialog.getByLabel('Code').fill(app.generate());
  await turnOn.click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await turnOn.click();
  await expect(dialog.getByText('The second step is on. If you do not have its recovery codes')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'New recovery codes…' }).click();
  const answer = await holdAnswer(page, '**/api/account/second-step/recovery-codes');
  const make = dialog.getByRole('button', { name: 'Create new codes' });
  await make.hover();
  const box = await make.boundingBox();
  await make.click();
  await expect(make).toHaveAttribute('aria-busy', 'true');
  await expect(make.locator('.spinner')).toBeVisible();
  expect(await make.boundingBox(), 'a busy button keeps its size').toEqual(box);
  // the previous codes are already invalid
  await page.keyboard.press('Escape');
  answer();
  await expectToStay(page);
  await dialog.getByRole('button', { name: 'I have saved them' }).click();
  await expect(dialog).toHaveCount(0);
});

test('a user confirms a new address, downloads all data, opens a private receipt, and is notified when disabled', async ({
  page,
  context,
  house,
}) => {
  const faults = watchFaults(page);
  const { id, call } = await signUp(context, house);
  const operator = await openMember(house, { operator: true });
  const email = `${randomUUID()}@example.com`;
  const made = await operator.page.post(`/api/admin/accounts/${id}/email`, { data: { email } });
  await page.goto(((await made.json()) as { url: string }).url);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Yes, it is mine' }).click();
  await expect(page).toHaveURL(/\/account\/profile$/);
  await expect(page.getByRole('region', { name: 'E-mail address' })).toContainText(email);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download everything' }).click();
  expect((await download).suggestedFilename()).toMatch(/^pomona-account-.*\.zip$/);

  await house.pool.query('update accounts set top_up_limit = 5000 where id = $1', [id]);
  const { payment } = (await (await call('POST', '/api/account/top-ups', { gems: 500 })).json()) as {
    payment: { id: string };
  };
  expect((await operator.page.get(`/receipt/${payment.id}`)).status()).toBe(404);
  await page.goto('/account/gems');
  await page.getByRole('link', { name: 'Receipt for 500 gems' }).click();
  await expect(page.getByRole('heading', { name: 'Receipt' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText(payment.id);
  await expectAccessible(page);

  await operator.page.patch(`/api/admin/accounts/${id}`, { data: { disabled: true } });
  await page.goto('/account/profile');
  await expect(page).toHaveURL(/\/sign-in\?error=disabled$/);
  await expect(page.getByText('The operator disabled this account.')).toBeVisible();
  expect(faults).toEqual([]);
});
