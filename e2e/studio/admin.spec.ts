import { QUICK } from '../customer.ts';
import { expect, test } from '../fixtures.ts';
import { expectFineEverywhere, signUp, watchFaults } from '../session.ts';

const PAGES = ['accounts', 'invites', 'requests', 'architectures', 'engines', 'limits', 'ledger-check', 'audit'];

test('to everybody else there are no operator pages', async ({ page, context, house }) => {
  await signUp(context, house);
  for (const name of PAGES) expect((await page.goto(`/admin/${name}`))?.status(), name).toBe(404);
  await page.goto('/create');
  await expect(page.getByRole('link', { name: 'Operator' })).toHaveCount(0);
});

test('gems are granted with a reason, which the account and the audit log tell', async ({ page, context, house }) => {
  const faults = watchFaults(page);
  const operator = await signUp(context, house, true);
  const customer = await house.open({ gems: 5 });
  await page.goto('/admin/accounts');
  await page.getByLabel('Search accounts').fill(customer.email);
  await page.getByRole('link', { name: customer.email }).click();
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

test('limits, permissions and a disabled account hold from the next request on', async ({ page, context, house }) => {
  await signUp(context, house, true);
  const customer = await house.open();
  await page.goto(`/admin/accounts/${customer.accountId}`);
  await page.getByLabel('May generate').uncheck();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved. It holds from the next request on.', { exact: true })).toBeVisible();
  expect((await customer.post()).status()).toBe(403);
  await page.getByLabel('May generate').check();
  await page.getByLabel('Live requests at a time').fill('0');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(async () => (await customer.post()).status()).toBe(429);
  await page.getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('button', { name: 'Disable account' }).click();
  await expect(page.getByRole('button', { name: 'Enable account' })).toBeVisible();
  expect((await customer.api.get('/v1/account')).status()).toBe(401);
});

test('every limit is shown with its setting; the account sees its own', async ({ page, context, house }) => {
  await signUp(context, house, true);
  await page.goto('/admin/limits');
  for (const [title, setting] of [
    ['Of each account', 'LIMIT_STORED_BYTES'],
    ['Of each network address', 'LIMIT_BAD_KEYS_PER_ADDRESS'],
    ['Of each web process', 'LIMIT_HEADER_SECONDS'],
  ] as const) {
    await expect(page.getByRole('table').filter({ hasText: setting })).toBeVisible();
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
  }
  await page.goto('/account/profile');
  const room = page.getByRole('region', { name: 'Room' });
  const { data: quotas } = await (await context.request.get('/api/account/quotas')).json();
  expect(quotas.length).toBeGreaterThan(4);
  await expect(room.getByRole('progressbar')).toHaveCount(quotas.length);
  await expect(room).toContainText('0 B of 20 GB');
  await expect(room.getByRole('term').filter({ hasText: /^API keys$/ })).toBeVisible();
  await expect(room).not.toContainText(/of an account|an account keeps/i);
});

test('the ledger check runs and everything holds', async ({ page, context, house }) => {
  await signUp(context, house, true);
  await page.goto('/admin/ledger-check');
  await page.getByRole('button', { name: 'Run the check' }).click();
  await expect(page.getByRole('list', { name: 'Invariants' }).getByRole('listitem').first()).toContainText('holds');
  await expect(page.getByRole('button', { name: 'Check again' })).toBeFocused();
});

test('keys go on where a model was retired, and revived', async ({ page, context, idle }) => {
  await signUp(context, idle, true);
  await page.goto(`${idle.baseURL}/admin/architectures`);
  const [retire, revive] = ['Retire HiDream', 'Revive HiDream'].map(name => page.getByRole('button', { name }));
  await retire!.press('Enter');
  await page.getByRole('button', { name: 'Retire it' }).press('Enter');
  await expect(revive!).toBeFocused();
  await revive!.press('Enter');
  await expect(retire!).toBeFocused();
});

test('a row of tabs fades where more of it is, before and after what is in sight', async ({ page, context, house }) => {
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

test('the address of an account that is none says so', async ({ page, context, house }) => {
  await signUp(context, house, true);
  await page.goto('/admin/accounts/00000000-0000-7000-8000-000000000000');
  await expect(page.getByText('No such account.')).toBeVisible();
});

for (const name of [...PAGES, 'account']) {
  test(`the operator's ${name} page is fine at every size, light and dark`, async ({ page, context, house }) => {
    await signUp(context, house, true);
    const customer = await house.open();
    await customer.post({ body: QUICK.body });
    await expectFineEverywhere(page, name === 'account' ? `/admin/accounts/${customer.accountId}` : `/admin/${name}`);
  });
}
