import { randomUUID } from 'node:crypto';
import { QUICK } from '../customer.ts';
import { expect, test } from '../fixtures.ts';
import { PASSWORD } from '../member.ts';
import { expectAccessible, expectFineEverywhere, watchFaults } from '../page-checks.ts';
import { signUp } from '../session.ts';
import { hold, loseAnswers, refuseOldSignIn } from './network.ts';

const PAGES = ['accounts', 'invites', 'requests', 'architectures', 'engines', 'limits', 'ledger-check', 'audit'];

test('operator pages are neither found by nor linked for other accounts', async ({ page, context, house }) => {
  await signUp(context, house);
  for (const name of PAGES) expect((await page.goto(`/admin/${name}`))?.status(), name).toBe(404);
  await page.goto('/create');
  await expect(page.getByRole('link', { name: 'Operator' })).toHaveCount(0);
});

test('granted gems need a reason, and appear in the account and the audit log', async ({ page, context, house }) => {
  const faults = watchFaults(page);
  const operator = await signUp(context, house, true);
  const customer = await house.open({ gems: 5 });
  await page.goto('/admin/accounts');
  await page.getByLabel('Search accounts').fill(customer.email);
  await page.getByRole('link', { name: customer.email }).click();
  await expect(page).toHaveTitle(`${customer.email} · Pomona`);
  await page.getByRole('button', { name: 'Grant gems' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Gems').fill('250');
  await dialog.getByRole('button', { name: 'Grant gems' }).click();
  await expect(dialog.getByText('Fill this in.')).toBeVisible();
  await dialog.getByLabel('Reason').fill('For the spring catalogue');
  await dialog.getByRole('button', { name: 'Grant gems' }).click();
  await expect(page.getByText('250 gems granted.', { exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Overview' })).toContainText('255');
  await expect(page.getByRole('region', { name: 'Ledger' }).first()).toContainText('For the spring catalogue');
  expect(await customer.balance()).toBe(255);
  await page.goto('/admin/audit');
  const entry = page.getByRole('listitem').filter({ hasText: customer.email }).first();
  await expect(entry).toContainText('gems.grant');
  await expect(entry).toContainText(operator.email);
  expect(faults).toEqual([]);
});

test('a grant retried after a lost response is booked once', async ({ page, context, house }) => {
  await signUp(context, house, true);
  const customer = await house.open({ gems: 5 });
  await page.goto(`/admin/accounts/${customer.accountId}`);
  await page.getByRole('button', { name: 'Grant gems' }).click();
  const dialog = page.getByRole('dialog');
  const grant = dialog.getByRole('button', { name: 'Grant gems' });
  await dialog.getByLabel('Gems').fill('250');
  await dialog.getByLabel('Reason').fill('For the spring catalogue');
  await loseAnswers(page, '**/api/admin/accounts/*/grants');
  await grant.click();
  await expect(dialog.getByRole('alert')).toContainText('The server cannot be reached.');
  expect(await customer.balance()).toBe(255);
  await grant.click();
  await expect(page.getByText('250 gems granted.', { exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Overview' })).toContainText('255');
  expect(await customer.balance()).toBe(255);
});

test('changed limits and permissions and a disabled account take effect with the next request', async ({
  page,
  context,
  house,
}) => {
  await signUp(context, house, true);
  const customer = await house.open();
  await page.goto(`/admin/accounts/${customer.accountId}`);
  await page.getByLabel('May generate').uncheck();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved. It applies from the next request on.', { exact: true })).toBeVisible();
  expect((await customer.post()).status()).toBe(403);
  await page.getByLabel('May generate').check();
  const most = page.getByLabel('Live requests at a time');
  await most.fill('0');
  await most.press('Enter');
  await expect.poll(async () => (await customer.post()).status()).toBe(429);
  await expect(most).toBeFocused();
  const disable = page.getByRole('button', { name: 'Disable…' });
  await disable.press('Enter');
  await page.getByRole('button', { name: 'Disable account' }).press('Enter');
  const enable = page.getByRole('button', { name: 'Enable account' });
  await expect(enable).toBeFocused();
  expect((await customer.api.get('/v1/account')).status()).toBe(401);
  await enable.press('Enter');
  await expect(disable).toBeFocused();
});

test('an operator sees the limits with their settings, and every account sees its own quotas', async ({
  page,
  context,
  house,
}) => {
  await signUp(context, house, true);
  await page.goto('/admin/limits');
  for (const [title, setting] of [
    ['Per account', 'LIMIT_STORED_BYTES'],
    ['Per network address', 'LIMIT_BAD_KEYS_PER_ADDRESS'],
    ['Per web process', 'LIMIT_HEADER_SECONDS'],
  ] as const) {
    await expect(page.getByRole('table').filter({ hasText: setting })).toBeVisible();
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
  }
  await page.goto('/account/profile');
  const room = page.getByRole('region', { name: 'Storage and limits' });
  const { data: quotas } = await (await context.request.get('/api/account/quotas')).json();
  expect(quotas.length).toBeGreaterThan(4);
  await expect(room.getByRole('progressbar')).toHaveCount(quotas.length);
  await expect(room).toContainText('0 B of 20 GB');
  await expect(room.getByRole('term').filter({ hasText: /^API keys$/ })).toBeVisible();
  await expect(room).not.toContainText(/of an account|an account keeps/i);
});

test('the ledger check passes, and its last result stays when a new check fails', async ({ page, context, house }) => {
  await signUp(context, house, true);
  await page.goto('/admin/ledger-check');
  await page.getByRole('button', { name: 'Run the check' }).click();
  await expect(page.getByRole('list', { name: 'Invariants' }).getByRole('listitem').first()).toContainText('holds');
  const again = page.getByRole('button', { name: 'Check again' });
  await expect(again).toBeFocused();
  // the last result stays until a new check succeeds
  await page.route('**/api/admin/ledger-check', route => route.abort(), { times: 1 });
  await again.click();
  await expect(page.getByText('The last result is below.')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Invariants' }).getByRole('listitem').first()).toContainText('holds');
});

test('the result of the previous search is hidden while a new one loads', async ({ page, context, house }) => {
  const operator = await signUp(context, house, true);
  await page.goto('/admin/accounts');
  const search = page.getByLabel('Search accounts');
  await search.fill('nobody is called this');
  await expect(page.getByText('No account found')).toBeVisible();
  const goOn = await hold(page, '**/api/admin/accounts?*');
  await search.fill(operator.email);
  await expect(page.getByText('No account found')).toBeHidden();
  goOn();
  await expect(page.getByRole('link', { name: operator.email })).toBeVisible();
});

test('the search for accounts and the chosen requests are kept when the operator comes back', async ({
  page,
  context,
  house,
}) => {
  const { email } = await signUp(context, house, true);
  await page.goto('/admin/accounts');
  await page.getByLabel('Search accounts').fill(email);
  await expect(page.getByRole('link', { name: /@/ })).toHaveCount(1);
  await page.getByRole('link', { name: email }).click();
  await page.getByRole('region', { name: 'Overview' }).getByRole('link', { name: 'Requests' }).click();
  // the choice follows the address, which changes in a transition
  await page.getByRole('radio', { name: 'Failed' }).click();
  await expect(page.getByRole('radio', { name: 'Failed' })).toBeChecked();
  await page.getByRole('link', { name: 'Show all accounts' }).click();
  await expect(page.getByRole('radio', { name: 'Live' })).toBeChecked();
  await page.goBack();
  await expect(page.getByRole('radio', { name: 'Failed' })).toBeChecked();
  await page.goBack();
  await page.goBack();
  await expect(page.getByLabel('Search accounts')).toHaveValue(email);
});

test('on a phone the keys of an account fit, and its ledger names each request by its id', async ({
  page,
  context,
  house,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signUp(context, house, true);
  const customer = await house.open();
  const { request_id } = await (await customer.post()).json();
  await page.goto(`/admin/accounts/${customer.accountId}`);
  for (const name of ['API keys', 'Ledger']) {
    const table = page.getByRole('region', { name }).getByRole('table');
    await expect(table).toBeVisible();
    expect(await table.evaluate(({ parentElement: place }) => place!.scrollWidth - place!.clientWidth)).toBe(0);
  }
  const ledger = page.getByRole('region', { name: 'Ledger' }).getByRole('table');
  await expect(ledger.getByRole('row').filter({ hasText: request_id })).toHaveCount(1);
  await expect(ledger.getByRole('link')).toHaveCount(0);
});

test('an expired key is shown as expired', async ({ page, context, house }) => {
  await signUp(context, house, true);
  const customer = await house.open();
  await house.pool.query(`update api_keys set expires_at = now() where account_id = $1`, [customer.accountId]);
  await page.goto(`/admin/accounts/${customer.accountId}`);
  await expect(page.getByRole('region', { name: 'API keys' }).getByRole('table').getByText('Expired')).toBeVisible();
});

test('on a phone, a model shows its price, and says so if no engine serves it', async ({ page, context, house }) => {
  await signUp(context, house, true);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.route('**/api/admin/architectures', async route => {
    const response = await route.fetch();
    const { data, ...rest } = await response.json();
    const [first, ...others] = data;
    await route.fulfill({ json: { ...rest, data: [{ ...first, engine: null, gems: 12_345 }, ...others] } });
  });
  await page.goto('/admin/architectures');
  const row = page.getByRole('region', { name: 'Architectures' }).getByRole('row').nth(1);
  await expect(row.getByText('none, so it is not offered').locator('visible=true')).toBeVisible();
  await expect(row.getByText('12,345').locator('visible=true')).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});

test('an operator whose sign-in is not recent signs in again to open an account, and then goes on', async ({
  page,
  context,
  house,
}) => {
  const { id } = await signUp(context, house, true);
  await page.goto(`/admin/accounts/${id}`);
  for (const [button, path, field] of [
    ['Create reset link…', '**/password-reset', null],
    ['Change e-mail…', '**/api/admin/accounts/*/email', 'New e-mail address'],
  ] as const) {
    await refuseOldSignIn(page, path);
    await page.getByRole('button', { name: button }).click();
    if (field) await page.getByLabel(field).fill(`${randomUUID()}@example.com`);
    await page.getByRole('button', { name: 'Create link' }).click();
    const again = page.getByRole('dialog', { name: 'Confirm it is you' });
    await again.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByText('It is not shown again')).toBeVisible();
    await page.getByRole('button', { name: 'I have saved it' }).click();
  }
});

test('a link that is shown once stays open until the user confirms having saved it', async ({
  page,
  context,
  house,
}) => {
  const { id } = await signUp(context, house, true);
  for (const [path, button, field] of [
    ['/admin/invites', 'Invite someone', null],
    [`/admin/accounts/${id}`, 'Create reset link…', null],
    [`/admin/accounts/${id}`, 'Change e-mail…', 'New e-mail address'],
  ] as const) {
    await page.goto(path);
    await page.getByRole('button', { name: button }).click();
    const dialog = page.getByRole('dialog');
    if (field) await dialog.getByLabel(field).fill(`${randomUUID()}@example.com`);
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await expect(dialog.getByText('It is not shown again')).toBeVisible();
    await page.mouse.click(5, 5);
    await page.keyboard.press('Escape');
    await expect(dialog.getByRole('button', { name: 'Copy link' }), button).toBeVisible();
    await dialog.getByRole('button', { name: 'I have saved it' }).click();
    await expect(dialog).toHaveCount(0);
  }
});

test('withdrawing an invitation that was already withdrawn elsewhere succeeds', async ({ page, context, house }) => {
  const { call } = await signUp(context, house, true);
  const email = `${randomUUID()}@example.com`;
  const made = await call('POST', '/api/admin/invites', { email, days: 7 });
  expect(made.status(), await made.text()).toBe(201);
  await page.goto('/admin/invites');
  await page.getByRole('button', { name: `Withdraw ${email}` }).click();
  const { id } = await made.json();
  expect((await call('DELETE', `/api/admin/invites/${id}`)).status()).toBe(204);
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByText(email)).toBeHidden();
});

test('the confirmation for cancelling a request stays open and works when the request ends meanwhile', async ({
  page,
  context,
  idle,
}) => {
  await signUp(context, idle, true);
  const customer = await idle.open();
  const { request_id } = await customer.submit();
  await page.goto(`${idle.baseURL}/admin/requests`);
  // located without roles, since the open dialog hides the rows from the accessibility tree
  const rows = page.locator('li', { hasText: customer.email });
  await rows.getByRole('button', { name: 'Cancel' }).click();
  expect((await customer.cancel(request_id)).status()).toBe(200);
  await expect(rows).toHaveCount(0);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel request' }).click();
  await expect(page.getByText('Request cancelled.', { exact: true })).toBeVisible();
});

test('retiring and reviving a model moves the focus to the opposite button, and failures are reported', async ({
  page,
  context,
  idle,
}) => {
  await signUp(context, idle, true);
  await page.goto(`${idle.baseURL}/admin/architectures`);
  const [retire, revive] = ['Retire HiDream', 'Revive HiDream'].map(name => page.getByRole('button', { name }));
  const fails = page.getByText('HiDream was not changed.', { exact: true });
  const error = { code: 'internal_error', message: 'It broke.' };
  const fail = () =>
    page.route('**/architectures/hidream', route => route.fulfill({ status: 500, json: { error } }), { times: 1 });
  await fail();
  await retire!.press('Enter');
  const confirm = page.getByRole('button', { name: 'Retire it' });
  await confirm.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('It broke.');
  await expect(confirm).toBeFocused();
  await confirm.press('Enter');
  await expect(revive!).toBeFocused();
  // an error in the dialog is shown only there
  await expect(page.getByText('HiDream is now retired.', { exact: true })).toBeVisible();
  await expect(fails).toBeHidden();
  await fail();
  await revive!.press('Enter');
  await expect(fails).toBeVisible();
  await revive!.press('Enter');
  await expect(retire!).toBeFocused();
});

test('a row of tabs fades at each side where more tabs are out of view', async ({ page, context, house }) => {
  await signUp(context, house, true);
  await page.setViewportSize({ width: 390, height: 844 });
  const sides = { overview: ['0px', '40px'], requests: ['40px', '40px'], audit: ['40px', '0px'] };
  for (const [name, [before, after]] of Object.entries(sides)) {
    await page.goto(`/admin/${name}`);
    const row = page.getByRole('navigation', { name: 'Operator' });
    await expect(row).toHaveCSS('--more-before', before!);
    await expect(row).toHaveCSS('--more-after', after!);
  }
});

test.describe('on a touch screen', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('links in the audit log and to workflows are at least 44 pixels high', async ({ page, context, house }) => {
    const { call, email } = await signUp(context, house, true);
    await call('POST', '/api/account/keys', { name: 'laptop' });
    await page.goto('/admin/audit');
    const entry = page.getByRole('listitem').filter({ hasText: email }).first();
    await expect(entry).toContainText('last four');
    const heightOf = async (name: string) => (await page.getByRole('link', { name }).first().boundingBox())!.height;
    expect(await heightOf(email)).toBeGreaterThanOrEqual(44);
    await page.goto('/admin/engines');
    await expect(page.getByRole('link', { name: 'HiDream' })).toBeVisible();
    expect(await heightOf('HiDream')).toBeGreaterThanOrEqual(44);
  });
});

test('an unknown account, engine or workflow returns 404 and links to the list', async ({ page, context, house }) => {
  await signUp(context, house, true);
  for (const [path, way, list] of [
    [`/admin/accounts/${randomUUID()}`, 'See all accounts', '/admin/accounts'],
    ['/admin/engines/edit/nowhere', 'See all engines', '/admin/engines'],
    ['/admin/engines/workflows/nowhere', 'See all engines', '/admin/engines'],
  ]) {
    expect((await page.goto(path!))?.status()).toBe(404);
    await expect(page).toHaveTitle('Not found · Pomona');
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
    await expect(page.getByRole('link', { name: way })).toHaveAttribute('href', list!);
    await expect(page.getByRole('button', { name: 'Try again' })).toBeHidden();
    await expectAccessible(page);
  }
});

for (const name of [...PAGES, 'account']) {
  test(`the operator's ${name} page fits phone and desktop and is accessible, light and dark`, async ({
    page,
    context,
    house,
  }) => {
    await signUp(context, house, true);
    const customer = await house.open();
    await customer.post({ body: QUICK.body });
    await expectFineEverywhere(page, name === 'account' ? `/admin/accounts/${customer.accountId}` : `/admin/${name}`);
  });
}
