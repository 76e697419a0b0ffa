import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { App } from '../connecting-app.ts';
import { expect, test } from '../fixtures.ts';
import { PASSWORD } from '../member.ts';
import { expectFineEverywhere, watchFaults } from '../page-checks.ts';
import { signUp } from '../session.ts';

// the app's local server, which waits for the redirect
let waiting: Server;
let returnsTo: string;
test.beforeAll(async () => {
  waiting = createServer((_incoming, outgoing) => outgoing.end('Back in the app'));
  await new Promise<void>(done => waiting.listen(0, '127.0.0.1', done));
  returnsTo = `http://127.0.0.1:${(waiting.address() as AddressInfo).port}/callback`;
});
test.afterAll(() => waiting.close());

test('access requested from one account cannot be allowed by another that has signed in since', async ({
  page,
  context,
  house,
}) => {
  const app = await App.register(house.baseURL, { client_name: 'Orchard Agent' });
  const asked = await signUp(context, house);
  await page.goto(app.question({ scope: 'generate read', redirect_uri: returnsTo }));
  await expect(page.getByText(asked.email)).toBeVisible();
  const refused = page.getByRole('main').getByRole('alert');
  await page.route('**/answer', route => route.abort(), { times: 1 });
  await page.getByRole('button', { name: 'Do not allow' }).click();
  await expect(refused).toContainText('The server cannot be reached.');
  const { call } = await signUp(context, house);
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  await expect(refused).toContainText('Someone else is signed in here now.');
  expect((await (await call('GET', '/api/account/keys')).json()).data).toEqual([]);
});

test('an app can be allowed with a budget, shown in the account, given a larger budget and disconnected', async ({
  page,
  context,
  house,
}) => {
  const { email } = await signUp(context, house);
  await context.clearCookies();
  const faults = watchFaults(page);
  const app = await App.register(house.baseURL, { client_name: 'Orchard Agent' });

  // a user who is not signed in signs in first
  const asked = await page.goto(app.question({ scope: 'generate read', redirect_uri: returnsTo }));
  // other sites cannot embed the page in a frame
  expect(asked!.headers()).toMatchObject({
    'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    'x-frame-options': 'DENY',
  });
  await expect(page.getByText('An app wants access.')).toBeVisible();
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Orchard Agent');
  await expect(page.getByRole('checkbox')).toHaveCount(2);
  await expectFineEverywhere(page, page.url());

  // a moderate default, as most users press Allow without changes
  await expect(page.getByLabel('Monthly budget')).toHaveValue('100');
  await page.getByLabel('Monthly budget').fill('250');
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  await page.waitForURL(`${returnsTo}**`);
  const code = new URL(page.url()).searchParams.get('code')!;
  expect((await app.redeem(code, { redirect_uri: returnsTo })).status()).toBe(200);

  await page.goto('/account/api');
  const row = page.getByRole('list', { name: 'Connected apps' }).getByRole('listitem');
  await expect(row).toContainText('Orchard Agent');
  await expect(row).toContainText('submit, price, cancel and delete requests; read models');
  await expect(row).toContainText('of 250');
  const { rows } = await house.pool.query(
    `select round(extract(epoch from expires_at - now()) / 86400)::int as days from api_keys
    join accounts on accounts.id = account_id where email = $1 and app is not null`,
    [email],
  );
  expect(rows).toEqual([{ days: 90 }]);
  await expectFineEverywhere(page, '/account/api');
  await row.getByRole('button', { name: 'Budget' }).click();
  await page.getByLabel('Monthly budget').fill('300');
  await page.getByRole('button', { name: 'Save budget' }).click();
  await expect(row).toContainText('of 300');
  await row.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  await expect(row).toHaveCount(0);
  expect(faults).toEqual([]);
});

test('refusing an app returns to it with an error, and an unregistered redirect address is reported', async ({
  page,
  context,
  house,
}) => {
  await signUp(context, house);
  const app = await App.register(house.baseURL);
  await page.goto(app.question({ redirect_uri: returnsTo }));
  await page.getByRole('button', { name: 'Do not allow' }).click();
  await page.waitForURL(/error=access_denied/);
  await page.goto(app.question({ redirect_uri: 'https://evil.example/' }));
  await expect(page.getByRole('main')).toContainText('a different return address from the one it registered');
  await expectFineEverywhere(page, page.url());
});

test('an access request that was answered in another tab is reported as ended', async ({ page, context, house }) => {
  const { call } = await signUp(context, house);
  const app = await App.register(house.baseURL);
  await page.goto(app.question({ redirect_uri: returnsTo }));
  const no = page.getByRole('button', { name: 'Do not allow' });
  await expect(no).toBeVisible();
  const answered = await call('POST', `${new URL(page.url()).pathname}/answer`, { given: { scopes: ['read'] } });
  expect(answered.status()).toBe(200);
  await no.click();
  await expect(page.getByText('This request has ended')).toBeVisible();
  await expect(no).toBeEnabled();
});

test('the page confirms the answer when a native app receives it without replacing the page', async ({
  page,
  context,
  house,
}) => {
  await signUp(context, house);
  const redirect_uri = 'orchard://agent/callback';
  const app = await App.register(house.baseURL, { redirect_uris: [redirect_uri], application_type: 'native' });
  await page.goto(app.question({ redirect_uri }));
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Allowed.' })).toBeVisible();
  await expect(page.getByRole('main').getByRole('button')).toHaveCount(0);
  await page.goto(app.question({ redirect_uri }));
  await page.getByRole('button', { name: 'Do not allow' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Not allowed.' })).toBeVisible();
});
