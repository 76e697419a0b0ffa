import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { QUICK } from '../customer.ts';
import { expect, test } from '../fixtures.ts';
import { openMember, pageOf, PASSWORD, signIn } from '../member.ts';
import { comeBackUntil, expectFineEverywhere, watchFaults } from '../page-checks.ts';
import { signUp } from '../session.ts';
import { hold, loseAnswers } from './network.ts';

async function createKey(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  const key = page.getByTestId('new-key');
  await expect(key).toHaveText(/^pomona_sk_/);
  return (await key.textContent()) ?? '';
}

test('a button whose request is in progress ignores further presses and keeps the focus', async ({
  page,
  context,
  house,
}) => {
  await signUp(context, house);
  await page.goto('/account/api');
  await createKey(page, 'first');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByLabel('Name').fill('second');
  let asked = 0;
  const answers: (() => void)[] = [];
  await page.route('**/api/account/keys', async route => {
    if (route.request().method() === 'POST') {
      asked++;
      await new Promise<void>(go => answers.push(go));
    }
    await route.continue();
  });
  const create = page.getByRole('dialog').getByRole('button', { name: 'Create key' });
  await create.press('Enter');
  await expect(create).toBeDisabled();
  await expect(create).toBeFocused();
  await expect.poll(() => asked).toBe(1);
  await page.keyboard.press('Enter');
  await page.getByLabel('Name').press('Enter');
  answers.forEach(go => go());
  await expect(page.getByTestId('new-key')).toHaveText(/^pomona_sk_/);
  await expect(page.getByRole('heading', { name: 'Your new key: second' })).toBeVisible();
  expect(asked).toBe(1);
});

test('a changed form in a dialog is not discarded by Escape or an outside click without confirmation', async ({
  page,
  context,
  house,
}) => {
  const { id, call } = await signUp(context, house, true);
  await call('POST', '/api/account/keys', { name: 'pipeline' });
  await house.pool.query('update accounts set top_up_limit = 5000 where id = $1', [id]);
  for (const [path, button, field, value] of [
    ['/account/api', 'Create key', 'Name', 'render script'],
    ['/account/api', 'Budget of pipeline', 'Monthly budget', '600'],
    ['/account/gems', 'Top up', 'Gems', '600'],
    ['/account/webhooks', 'Add webhook', 'Address', 'https://example.com/hook'],
    [`/admin/accounts/${id}`, 'Grant gems', 'Reason', 'For the spring catalogue'],
    [`/admin/accounts/${id}`, 'Change e-mail…', 'New e-mail address', 'ana@example.com'],
    ['/admin/invites', 'Invite someone', 'E-mail', 'ana@example.com'],
  ] as const) {
    await page.goto(path);
    await page.getByRole('button', { name: button, exact: true }).click();
    const typed = page.getByRole('dialog').getByLabel(field);
    // typed, since a value filled in before hydration does not count as a change
    await typed.fill('');
    await typed.pressSequentially(value);
    await page.mouse.click(5, 5);
    await typed.press('Escape');
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await expect(question, path).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(question, path).toBeHidden();
    await expect(typed, path).toHaveValue(value);
    await typed.press('Escape');
    await question.getByRole('button', { name: 'Leave' }).click();
    await expect(page.getByRole('dialog'), path).toHaveCount(0);
  }
});

test('a created key works, its charges appear in the ledger, and it fails once revoked', async ({
  page,
  context,
  house,
}) => {
  const faults = watchFaults(page);
  await signUp(context, house);
  await page.goto('/account/api');
  await expect(page.getByRole('heading', { name: 'No keys yet' })).toBeVisible();
  const key = await createKey(page, 'render script');
  await expect(page.getByRole('heading', { name: 'Your new key: render script' })).toBeFocused();
  // cancelling the dialog returns the focus to its button
  const another = page.getByRole('button', { name: 'Create key' });
  await another.click();
  await page.getByRole('dialog').getByLabel('Name').press('Escape');
  await expect(another).toBeFocused();
  await expect(page.getByRole('figure', { name: /shell/ })).toContainText(key);

  const generate = () =>
    fetch(`${house.baseURL}/v1/${QUICK.architecture}/generate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(QUICK.body),
    });
  expect((await generate()).status).toBe(202);

  await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Gems' }).click();
  const row = page.getByRole('table').getByRole('row').filter({ hasText: 'Charge' });
  await expect(row).toContainText(`−${QUICK.gems}`);
  await expect(row).toContainText(String(1000 - QUICK.gems));
  await expect(row.getByRole('link')).toHaveAttribute('href', /^\/history\/[0-9a-f-]{36}$/);
  await expect(page.getByRole('region', { name: 'Balance' })).toContainText(String(1000 - QUICK.gems));

  await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'API' }).click();
  await expect(page.getByTestId('new-key')).toHaveCount(0);
  await expect(page.getByText(key)).toHaveCount(0);
  await page.getByRole('button', { name: 'Revoke render script' }).click();
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await expect(page.getByText('render script is revoked.', { exact: true })).toBeVisible();
  expect((await generate()).status).toBe(401);
  await page.getByLabel('Show revoked (1)').check();
  await expect(page.getByRole('list', { name: 'API keys' })).toContainText('Revoked');
  expect(faults).toEqual([]);
});

test('content below a list of unknown length stays hidden until the list has loaded', async ({
  page,
  context,
  house,
}) => {
  await signUp(context, house);
  const release = await hold(page, '**/api/account/keys');
  await page.goto('/account/api');
  await expect(page.getByRole('region', { name: 'Loading' }).first()).toBeVisible();
  const below = page.getByText('Use it', { exact: true });
  await expect(below).toBeAttached();
  await expect(below).toBeHidden();
  release();
  await expect(page.getByRole('heading', { name: 'No keys yet' })).toBeVisible();
  await expect(below).toBeVisible();
});

test('the Gems page loads without layout shift, and on a phone each ledger entry labels its balance', async ({
  page,
  context,
  house,
}) => {
  const { call } = await signUp(context, house);
  for (const architecture of ['z_image', 'mango', 'seed_audio', 'chroma'])
    expect((await call('POST', `/v1/${architecture}/generate`, { prompt: 'a fig' })).status()).toBe(202);
  await page.addInitScript(() => {
    const moves: unknown[] = [];
    Object.assign(window, { moves });
    new PerformanceObserver(list => moves.push(...list.getEntries())).observe({ type: 'layout-shift', buffered: true });
  });
  for (const [width, height] of [
    [390, 844],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto('/account/gems');
    await expect(page.getByRole('list', { name: 'By architecture' }).getByRole('listitem')).toHaveCount(4);
    const row = page
      .getByRole('region', { name: 'Ledger' })
      .getByRole('table')
      .getByRole('row')
      .filter({ hasText: 'Opening' });
    await expect(row).toContainText(width < 500 ? 'balance 1,000' : '1,000');
    const moves = await page.evaluate<{ value: number }[]>('moves');
    expect(
      moves.reduce((sum, { value }) => sum + value, 0),
      `${width}`,
    ).toBeLessThan(0.01);
  }
});

test('a key can have limited scopes and an expiry, be rolled with or without grace, and show its usage', async ({
  page,
  context,
  house,
}) => {
  const { call: own } = await signUp(context, house);
  await page.goto('/account/api');
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('gallery');
  await dialog.getByLabel('Expires').selectOption('In 30 days');
  await dialog.getByText('Read', { exact: true }).click();
  await expect(dialog.getByLabel('Send and delete uploads')).not.toBeChecked();
  await dialog.getByText('Choose', { exact: true }).click();
  await dialog.getByLabel('Read models, requests').uncheck();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await expect(dialog.getByText('Choose at least one thing that it may do.')).toBeVisible();
  await expect(dialog.getByRole('checkbox').first()).toBeFocused();
  await dialog.getByLabel('Submit, price').check();
  await dialog.getByLabel('In flight').fill('2');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const key = page.getByTestId('new-key');
  await expect(key).toHaveText(/^pomona_sk_/);
  const first = await key.textContent();
  const row = page.getByRole('list', { name: 'API keys' }).getByRole('listitem').filter({ hasText: 'gallery' });
  await expect(row.getByText('submit, price, cancel and delete requests', { exact: true })).toBeVisible();
  await expect(row).toContainText('at most 2');

  const call = (secret: string | null, path: string, body?: object) =>
    fetch(`${house.baseURL}/v1${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  expect((await call(first, '/requests')).status).toBe(403);
  expect((await call(first, `/${QUICK.architecture}/generate`, QUICK.body)).status).toBe(202);

  const [made] = (await (await own('GET', '/api/account/keys')).json()).data;
  expect((Date.parse(made.expires_at) - Date.now()) / 86_400_000).toBeCloseTo(30, 1);

  await row.getByRole('button', { name: 'Roll gallery' }).click();
  await dialog.getByRole('button', { name: 'Roll key' }).click();
  await expect(key).not.toHaveText(String(first));
  await expect(page.getByRole('heading', { name: 'Your new key: gallery' })).toBeFocused();
  await expect(row).toContainText(new RegExp(`…${first?.slice(-4)} still works, until \\w+ \\d+, \\d\\d:\\d\\d\\.`));
  for (const secret of [first, await key.textContent()])
    expect((await call(secret, `/${QUICK.architecture}/estimate`, QUICK.body)).status).toBe(200);

  // a leaked key can be rolled without a grace period
  const leaked = await key.textContent();
  await row.getByRole('button', { name: 'Roll gallery' }).click();
  await dialog.getByRole('combobox').selectOption('Not at all');
  await dialog.getByRole('button', { name: 'Roll key' }).click();
  await expect(key).not.toHaveText(String(leaked));
  expect((await call(leaked, `/${QUICK.architecture}/estimate`, QUICK.body)).status).toBe(401);

  await row.getByRole('button', { name: 'Usage of gallery' }).click();
  await expect(dialog.getByRole('list', { name: 'By architecture' })).toContainText('1 request');
  await dialog.getByText('As a table').click();
  await expect(dialog.getByRole('cell').first()).toHaveText(/^[A-Z][a-z]+ \d+$/);
});

test('a user returning from the payment page sees the state of the payment, also in ledger and statement', async ({
  page,
  context,
  house,
}) => {
  const { id } = await signUp(context, house);
  const operator = await openMember(house, { operator: true });
  const payment = randomUUID();
  await house.pool.query(
    `insert into payments (id, account_id, provider, purpose, gems, amount, currency)
     values ($1, $2, 'stripe', 'top_up', 2500, 3750, 'eur')`,
    [payment, id],
  );
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/account/gems?payment=${payment}&cancelled`);
  await expect(page.getByText('The payment for 2,500 gems was not made. Nothing was charged.')).toBeVisible();

  await page.goto(`/account/gems?payment=${payment}`);
  await expect(page.getByText('2,500 gems will be added as soon as the payment is confirmed.')).toBeVisible();
  const ledger = page.getByRole('region', { name: 'Ledger' });
  await expect(ledger.getByRole('row').filter({ hasText: 'Opening' })).toBeVisible();
  await operator.page.post(`/api/admin/accounts/${id}/grants`, { data: { gems: 2500, reason: 'what was paid for' } });
  await house.pool.query("update payments set status = 'succeeded' where id = $1", [payment]);
  await expect(page.getByText('Thank you: 2,500 gems added.')).toBeVisible();
  await expect(ledger.getByRole('row').filter({ hasText: 'what was paid for' })).toBeVisible();
  const statement = page.getByRole('region', { name: 'Payments' }).last();
  await expect(statement.getByRole('link', { name: 'Receipt for 2,500 gems' })).toBeVisible();
  expect(await statement.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  // payments of another year show the year
  await house.pool.query(`update payments set created_at = created_at - interval '1 year' where id = $1`, [payment]);
  await page.reload();
  await expect(statement.getByRole('row').filter({ hasText: 'Receipt for' })).toContainText(
    `, ${new Date().getFullYear() - 1}, `,
  );
});

test('a failure to load more of a list is reported and can be retried', async ({ page, context, house }) => {
  const { id } = await signUp(context, house);
  await house.pool.query(
    `insert into payments (id, account_id, provider, purpose, gems, amount, currency, status)
    select gen_random_uuid(), $1, 'stripe', 'top_up', 100 + n, 150, 'eur', 'succeeded' from generate_series(1, 120) n`,
    [id],
  );
  await page.goto('/account/gems');
  const payments = page.getByRole('region', { name: 'Payments', exact: true }).first();
  const error = { code: 'internal_error', message: 'Something went wrong here.' };
  await page.route('**/api/account/payments?*cursor=*', route => route.fulfill({ status: 500, json: { error } }));
  const rows = await payments.getByRole('row').count();
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'The rest did not load.' })).toBeVisible({ timeout: 30_000 });
  await page.unroute('**/api/account/payments?*cursor=*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => payments.getByRole('row').count()).toBeGreaterThan(rows);
  await expect(page.getByRole('alert').filter({ hasText: 'The rest' })).toHaveCount(0);
});

test('a request that exceeds the balance is refused, and accepted when auto top-up is on', async ({
  page,
  context,
  house,
}) => {
  const { id, call } = await signUp(context, house);
  const { rows } = await house.pool.query<{ balance: number }>(
    'update accounts set top_up_limit = 5000 where id = $1 returning balance',
    [id],
  );
  const submit = () => call('POST', '/v1/cherry/generate', { prompt: 'two cherries' });
  const { gems: price } = (await (await call('POST', '/v1/cherry/estimate', { prompt: 'two cherries' })).json()) as {
    gems: number;
  };
  expect(price * 2).toBeGreaterThan(Number(rows[0]?.balance));
  expect((await submit()).status()).toBe(202);
  expect((await submit()).status()).toBe(402);

  await page.goto('/account/gems');
  await page.getByLabel('Top up automatically').check();
  await page.getByLabel('Keep at least').fill('0');
  await page.getByLabel('Add at a time').fill('700');
  await page.getByLabel('Monthly limit').fill('');
  await page.getByRole('button', { name: 'Switch on' }).click();
  await expect(page.getByText('Must be a whole number from 1 to 1000000000.')).toBeVisible();
  await page.getByLabel('Monthly limit').fill('1400');
  await page.getByRole('button', { name: 'Switch on' }).click();
  await expect(page.getByText('Auto top-up is set.', { exact: true })).toBeVisible();

  expect((await submit()).status()).toBe(202);
  await page.reload();
  await expect(page.getByRole('region', { name: 'Balance' })).toContainText(String(1000 - 2 * price + 700));
  await expect(page.getByRole('region', { name: 'Ledger' }).getByText('Top-up', { exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Payments' })).toContainText('Auto top-up');

  const goOn = await hold(page, '**/api/account/auto-top-up');
  const toggle = page.getByLabel('Top up automatically');
  await toggle.press('Space');
  await expect(toggle).not.toBeChecked();
  await expect(toggle).toBeFocused();
  goOn();
  await expect(page.getByText('Auto top-up is off.', { exact: true })).toBeVisible();
  await expect(toggle).toBeFocused();
  expect((await submit()).status()).toBe(402);
});

test('the Gems page adds gems up to the limit, filters the ledger and exports it as CSV', async ({
  page,
  context,
  house,
}) => {
  const { id } = await signUp(context, house);
  await house.pool.query('update accounts set top_up_limit = 700 where id = $1', [id]);
  await page.goto('/account/gems');
  await page.getByRole('button', { name: 'Top up', exact: true }).click();
  // the dialog offers no more than the limit allows
  const dialog = page.getByRole('dialog', { name: 'Top up' });
  await expect(dialog.getByLabel('Gems')).toHaveValue('700');
  await expect(dialog.getByRole('button', { name: /^[\d,]+ gems$/ })).toHaveText([/^500/]);
  await dialog.getByLabel('Gems').fill('701');
  await dialog.getByRole('button', { name: 'Add gems' }).click();
  await expect(dialog.getByRole('alert')).toContainText('The operator allows this account 700 more gems this month.');
  await dialog.getByLabel('Gems').fill('600');
  await dialog.getByRole('button', { name: 'Add gems' }).click();
  await expect(page.getByRole('region', { name: 'Balance' })).toContainText('1,600');
  await page.getByLabel('Kind of entry').selectOption('Top-ups');
  await expect(page.getByRole('region', { name: 'Ledger' }).getByRole('row')).toHaveCount(2);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'CSV' }).click();
  expect((await download).suggestedFilename()).toBe('pomona-ledger.csv');
});

test('a top-up retried after a lost response is booked once, even after closing its dialog', async ({
  page,
  context,
  house,
}) => {
  const { id, call } = await signUp(context, house);
  await house.pool.query('update accounts set top_up_limit = 5000 where id = $1', [id]);
  await page.goto('/account/gems');
  const open = page.getByRole('button', { name: 'Top up', exact: true });
  const dialog = page.getByRole('dialog', { name: 'Top up' });
  const book = async (gems: string) => {
    await open.click();
    await dialog.getByLabel('Gems').fill(gems);
    await dialog.getByRole('button', { name: 'Add gems' }).click();
  };
  await loseAnswers(page, '**/api/account/top-ups', 2);
  await book('600');
  await expect(dialog.getByRole('alert')).toContainText('The server cannot be reached.');
  await dialog.getByRole('button', { name: 'Add gems' }).click();
  await expect(dialog.getByRole('button', { name: 'Add gems' })).toBeEnabled();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Leave', exact: true }).click();
  await book('600');
  await expect(page.getByText('600 gems added.', { exact: true })).toBeVisible();
  const balance = async () =>
    ((await (await call('GET', '/v1/account')).json()) as { gems: { balance: number } }).gems.balance;
  expect(await balance()).toBe(1600);
  for (const [gems, then] of [
    ['500', 2100],
    ['500', 2600],
  ] as const) {
    await book(gems);
    await expect(dialog).toBeHidden();
    expect(await balance()).toBe(then);
  }
});

test('saving auto top-up keeps values that another tab has changed', async ({ page, context, house }) => {
  const { call } = await signUp(context, house);
  const set = (auto_top_up: object) => call('PUT', '/api/account/auto-top-up', { auto_top_up });
  await set({ threshold: 100, gems: 500, monthly_limit: 5000 });
  await page.goto('/account/gems');
  const limit = page.getByLabel('Monthly limit');
  await expect(limit).toHaveValue('5000');
  await set({ threshold: 100, gems: 500, monthly_limit: 500 });
  await comeBackUntil(page, options => expect(limit).toHaveValue('500', options));
  await page.getByLabel('Keep at least').fill('50');
  await page.getByLabel('Keep at least').press('Enter');
  await expect(page.getByText('Auto top-up is set.', { exact: true })).toBeVisible();
  // saving renders the form anew, and the focus stays in it
  await expect(page.getByLabel('Keep at least')).toBeFocused();
  expect(await (await call('GET', '/api/account/gems')).json()).toMatchObject({
    auto_top_up: { threshold: 50, gems: 500, monthly_limit: 500 },
  });
});

test('a user can change name and password and sign out other sessions', async ({ page, context, house }) => {
  const { email } = await signUp(context, house);
  await page.goto('/account/profile');
  await page.getByLabel('Name').fill('Ada Lovelace');
  await page.getByRole('button', { name: 'Save name' }).press('Enter');
  await expect(page.getByText('Name saved.', { exact: true })).toBeVisible();
  // the button is disabled after saving, and the focus stays in the form
  await expect(page.getByLabel('Name')).toBeFocused();
  await expect(page.getByRole('button', { name: 'Account of Ada Lovelace' }).first()).toBeVisible();
  await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Security' }).click();

  const elsewhere = await pageOf(house.baseURL);
  await signIn(elsewhere, email);
  await page.getByLabel('Current password').fill('not the password');
  await page.getByLabel('New password').fill('quite another sentence');
  await page.getByRole('button', { name: 'Change password' }).click();
  const wrong = 'The current password is wrong.';
  await expect(page.getByLabel('Current password')).toHaveAccessibleDescription(wrong);
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Password changed.', { exact: true })).toBeVisible();
  expect((await elsewhere.get('/api/account')).status()).toBe(401);

  await signIn(elsewhere, email, 'quite another sentence');
  await page.reload();
  const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
  await expect(sessions).toHaveCount(2);
  // a session that has already ended counts as signed out
  const end = sessions.getByRole('button', { name: /^Sign out/ });
  const error = { code: 'not_found', message: 'No such session. It may have ended already.' };
  await page.route('**/api/account/sessions/*', route => route.fulfill({ status: 404, json: { error } }), { times: 1 });
  const ended = page.waitForResponse('**/api/account/sessions/*');
  await end.click();
  await ended;
  await expect(end).toBeEnabled();
  await expect(page.getByText(error.message)).toHaveCount(0);
  await end.click();
  await expect(sessions).toHaveCount(1);
  await expect(sessions).toContainText('This browser');
  // the focus stays in the list for keyboard users
  const within = page.locator(':focus').getByRole('list', { name: 'Sessions' });
  await expect(within).toBeVisible();
  expect((await elsewhere.get('/api/account')).status()).toBe(401);
});

test('an account is deleted only after its user types its e-mail address and password', async ({
  page,
  context,
  house,
}) => {
  const { id, email } = await signUp(context, house);
  await page.goto('/account/profile');
  await page.getByRole('button', { name: 'Delete account' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(`Type ${email} to confirm`).fill(`${email}.example`);
  await expect(dialog.getByRole('button', { name: 'Delete for good' })).toBeDisabled();
  await dialog.getByLabel(`Type ${email} to confirm`).fill(email);
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Delete for good' }).click();
  await expect(page).toHaveURL(`${house.baseURL}/`);
  const { rows } = await house.pool.query('select 1 from accounts where id = $1', [id]);
  expect(rows).toEqual([]);
});

for (const path of ['/account/profile', '/account/security', '/account/api', '/account/gems']) {
  test(`${path} fits phone and desktop and is accessible, light and dark`, async ({ page, context, house }) => {
    const { id, call } = await signUp(context, house);
    await house.pool.query('update accounts set top_up_limit = 5000 where id = $1', [id]);
    await call('POST', '/api/account/keys', { name: 'render script', monthly_budget: 500 });
    await call('POST', '/api/account/top-ups', { gems: 500 });
    await call('PUT', '/api/account/auto-top-up', { auto_top_up: { threshold: 1, gems: 100, monthly_limit: 1000 } });
    await call('POST', `/v1/${QUICK.architecture}/generate`, QUICK.body);
    await expectFineEverywhere(page, path);
  });
}

test('a page opened by the previous user cannot act for the user who is signed in now', async ({
  page,
  context,
  house,
}) => {
  const before = await signUp(context, house);
  await house.pool.query('update accounts set top_up_limit = 5000 where id = $1', [before.id]);
  await page.goto('/account/gems');
  await page.getByRole('button', { name: 'Top up', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Top up' });
  await dialog.getByLabel('Gems').fill('600');
  const recipe = await context.newPage();
  await recipe.goto('/recipes/storyboard');
  await recipe.getByLabel('Shots').fill('A harbour at dawn');
  await recipe.getByLabel('Cast', { exact: true }).fill('Mara');
  const run = recipe.getByRole('button', { name: /^Run [\d,]+ gem/ });
  await expect(run).toContainText('114');
  const collections = await context.newPage();
  await collections.goto('/collections');
  await collections.getByRole('button', { name: 'New collection' }).first().click();
  const collection = collections.getByRole('dialog', { name: 'New collection' });
  await collection.getByLabel('Name').fill('Harbours');
  const docs = await context.newPage();
  await docs.goto('/docs/create_upload');

  const { id, call } = await signUp(context, house);
  await house.pool.query('update accounts set top_up_limit = 5000 where id = $1', [id]);
  await dialog.getByRole('button', { name: 'Add gems' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Someone else is signed in here now.');
  await run.click();
  await expect(recipe.getByText('Someone else is signed in here now.')).toBeVisible();
  await collection.getByRole('button', { name: 'Create' }).click();
  await expect(collection.getByRole('alert')).toContainText('Someone else is signed in here now.');
  await docs.getByRole('button', { name: 'Send POST' }).click();
  await expect(docs.locator('output')).toContainText('Someone else is signed in here now.');
  expect(await (await call('GET', '/v1/account')).json()).toMatchObject({ gems: { balance: 1000 } });
  expect((await (await call('GET', '/v1/recipes/runs')).json()).data).toEqual([]);
  expect((await (await call('GET', '/api/collections')).json()).data).toEqual([]);
  expect((await (await call('GET', '/v1/uploads')).json()).data).toEqual([]);

  // the page notices the other user by itself; a reload shows the page of that user
  const told = recipe.locator('output', { hasText: 'Someone else is signed in here now.' });
  await comeBackUntil(recipe, options => expect(told).toBeVisible(options));
  await told.getByRole('button', { name: 'Reload' }).click();
  await expect(told).toBeHidden();
  await recipe.getByLabel('Shots').fill('A harbour at dawn');
  await recipe.getByLabel('Cast', { exact: true }).fill('Mara');
  await expect(run).toContainText('114');
  await run.click();
  await expect.poll(async () => (await (await call('GET', '/v1/recipes/runs')).json()).data).toHaveLength(1);
});
