import { randomUUID } from 'node:crypto';
import type { APIRequestContext } from '@playwright/test';
import { TOTP } from 'otpauth';
import { studioOperations } from '#lib/contract/studio-operations';
import { errorEnvelope } from '#lib/contract/schemas';
import { openContext } from '../api-context.ts';
import { QUICK, refusal } from '../customer.ts';
import { expect, test } from '../fixtures.ts';
import { newAddress, openMember, pageOf, PASSWORD, signIn } from '../member.ts';

// sessions and API keys: sign-in, origin checks and ownership

test('a user signs up, creates a key, spends gems with it, reads the ledger, and revokes the key', async ({
  baseURL,
}) => {
  const page = await pageOf(baseURL!);
  const email = newAddress();
  const joined = await page.post('/api/sign-up', { data: { email, password: PASSWORD, name: 'Ada' } });
  expect(joined.status(), await joined.text()).toBe(201);
  const cookie = joined.headers()['set-cookie'] ?? '';
  expect(cookie.split('\n')).toEqual([
    expect.stringMatching(/^next-auth\.session-token=[^;]+; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/),
    expect.stringMatching(/^pomona-device=[^;]+; Path=\/api\/session; Max-Age=31536000; HttpOnly; SameSite=Lax$/),
  ]);

  const unnamed = await refusal(await page.post('/api/account/keys', { data: { name: ' ' } }), 400, 'invalid_request');
  expect(unnamed.message).toBe('name must be text of 1 to 100 characters in one line, one of them visible; it is " ".');
  for (const expires_at of ['9999-12-31T23:59:59-01:00', '2026-01-01T00:00:00Z']) {
    const data = { name: 'x', expires_at };
    const refused = await refusal(await page.post('/api/account/keys', { data }), 400, 'invalid_request');
    expect(refused.message).toContain('expires_at must be a time in the future');
  }
  const wanted = { name: 'laptop', monthly_budget: 100, scopes: ['read', 'generate', 'read'] };
  const made = await (await page.post('/api/account/keys', { data: wanted })).json();
  expect(made).toMatchObject({ ...wanted, scopes: ['read', 'generate'], key: expect.stringMatching(/^pomona_sk_/) });
  const mute = 'balance.low:mail';
  const told = await page.put('/api/account/notices', { data: { low_balance: 50, muted: [mute, mute] } });
  expect(await told.json()).toMatchObject({ settings: { muted: [mute] } });
  const program = await openContext({
    baseURL: baseURL!,
    extraHTTPHeaders: { authorization: `Bearer ${made.key}` },
  });
  const submitted = await program.post(`/v1/${QUICK.architecture}/generate`, { data: QUICK.body });
  expect(submitted.status()).toBe(202);
  const { data } = await (await page.get('/v1/account/ledger?kind=charge')).json();
  expect(data).toMatchObject([{ gems: -QUICK.gems, request_id: (await submitted.json()).request_id }]);
  const [listed] = (await (await page.get('/api/account/keys')).json()).data;
  expect(listed).toMatchObject({ id: made.id, spent_this_month: QUICK.gems });
  expect(listed).not.toHaveProperty('key');
  expect(await (await page.get('/api/account/usage')).json()).toMatchObject({
    totals: { requests: 1, gems: QUICK.gems },
  });
  expect(await (await page.get('/api/account/ledger.csv')).text()).toMatch(/^id,.*\r\n\d+,[^\r]*,charge,-19,981,/);

  const revoked = await (await page.delete(`/api/account/keys/${made.id}?cancel=true`)).json();
  expect(revoked.key.revoked_at).not.toBeNull();
  await refusal(await program.get('/v1/account'), 401, 'unauthorized');
});

test('the CSV of the ledger can be filtered by kind, and an unknown or repeated kind is refused', async ({ house }) => {
  const { page } = await openMember(house);
  expect(await (await page.get('/api/account/ledger.csv?kind=opening')).text()).toMatch(
    /^id,.*\r\n\d+,.*,opening,.*\r\n$/,
  );
  expect(await (await page.get('/api/account/ledger.csv?kind=charge')).text()).toMatch(/^id,.*\r\n$/);
  const odd = await refusal(await page.get('/api/account/ledger.csv?kind=charges'), 400, 'invalid_request');
  expect(odd.message).toContain('"charge"');
  await refusal(await page.get('/api/account/ledger.csv?kind=charge&kind=refund'), 400, 'invalid_request');
});

test('an empty change of an API key is refused with the name of the missing member', async ({ house }) => {
  const { page } = await openMember(house);
  const { id } = await (await page.post('/api/account/keys', { data: { name: 'laptop' } })).json();
  const lacking = await refusal(await page.patch(`/api/account/keys/${id}`, { data: {} }), 400, 'invalid_request');
  expect(lacking.message).toBe('monthly_budget must be a whole number from 0 to 1000000000; it is missing.');
});

test('marking notices as seen leaves newer notices unseen', async ({ house }) => {
  const { page, accountId } = await openMember(house);
  const raise = () =>
    house.pool.query(
      `insert into notices (id, account_id, kind, data) values ($1, $2, 'balance.low', '{"balance": 1, "threshold": 2}')`,
      [randomUUID(), accountId],
    );
  const list = async () => (await (await page.get('/api/account/notices')).json()).data;
  await raise();
  const [read] = await list();
  await raise();
  expect((await page.post('/api/account/notices/seen', { data: { newest: read.id } })).status()).toBe(204);
  expect(await list()).toMatchObject([{ seen: false }, { id: read.id, seen: true }]);
});

test('a session works at /v1 like an API key, with its own scope of idempotency keys', async ({ idle }) => {
  const { page, customer } = await openMember(idle);
  const headers = { 'idempotency-key': 'the same' };
  const submit = () => page.post(`/v1/${QUICK.architecture}/generate`, { data: QUICK.body, headers });
  const first = await submit();
  expect(first.status(), await first.text()).toBe(202);
  const again = await submit();
  expect(again.headers()['idempotency-replayed']).toBe('true');
  const byKey = await customer.submit({ headers });
  expect(byKey.request_id).not.toBe((await first.json()).request_id);
  expect((await customer.list()).data).toHaveLength(2);
});

test('signing out of one session or of all others takes effect in every process from the next request on', async ({
  house,
}) => {
  const one = await openMember(house);
  const other = await pageOf(house.baseURL);
  const copied = await signIn(other, one.email);
  // the two web servers of playwright.config.ts share a database
  const port = Number(process.env.E2E_PORT);
  const account = async (cookie: string) => {
    const answers = [port, port + 1].map(async each => {
      const stranger = await pageOf(`http://localhost:${each}`);
      return (await stranger.get('/v1/account', { headers: { cookie } })).status();
    });
    return Promise.all(answers);
  };
  expect(await account(copied)).toEqual([200, 200]);
  expect((await other.delete('/api/session')).status()).toBe(204);
  expect(await (await other.get('/api/session')).json()).toEqual({ account: null, recent: false });
  expect(await account(copied)).toEqual([401, 401]);
  const third = await signIn(other, one.email);
  const { data } = await (await one.page.get('/api/account/sessions')).json();
  expect(data.map(({ current }: { current: boolean }) => current).toSorted()).toEqual([false, true]);
  expect((await one.page.delete('/api/account/sessions')).status()).toBe(204);
  expect(await account(third)).toEqual([401, 401]);
  expect(await account(one.cookie)).toEqual([200, 200]);
});

test('changing the password keeps this browser signed in, and ends the old session cookie and password', async ({
  house,
}) => {
  const { page, cookie, email } = await openMember(house);
  const data = { current_password: PASSWORD, password: 'another orchard' };
  expect((await page.put('/api/account/password', { data })).status()).toBe(204);
  expect((await page.get('/v1/account')).status()).toBe(200);
  const elsewhere = await pageOf(house.baseURL);
  await refusal(await elsewhere.get('/v1/account', { headers: { cookie } }), 401, 'unauthorized');
  await refusal(await elsewhere.post('/api/session', { data: { email, password: PASSWORD } }), 401, 'unauthorized');
  await signIn(elsewhere, email, 'another orchard');
});

test('a sign-in with the old password is refused if the password changes during the sign-in', async ({ house }) => {
  const { page, email, accountId } = await openMember(house);
  const elsewhere = await pageOf(house.baseURL);
  const holder = await house.pool.connect();
  await holder.query('begin');
  const { rows } = await holder.query('select pg_backend_pid() as pid from sign_ins where account_id = $1 for update', [
    accountId,
  ]);
  const waiting = `with recursive w(pid) as (
    select $1::int union select a.pid from pg_stat_activity a join w on w.pid = any(pg_blocking_pids(a.pid))) select from w`;
  const waits = (all: number) =>
    expect.poll(async () => (await house.pool.query(waiting, [rows[0].pid])).rowCount).toBe(all + 1);
  const changed = page.put('/api/account/password', {
    data: { current_password: PASSWORD, password: 'another orchard' },
  });
  await waits(1);
  const late = elsewhere.post('/api/session', { data: { email, password: PASSWORD } });
  await waits(2);
  await holder.query('rollback');
  holder.release();
  expect((await changed).status()).toBe(204);
  await refusal(await late, 401, 'unauthorized');
});

test('when two password reset links are used at the same time, one succeeds and the other is refused', async ({
  house,
}) => {
  const operator = await openMember(house, { operator: true });
  const { accountId } = await openMember(house);
  const links = [1, 2].map(() => operator.page.post(`/api/admin/accounts/${accountId}/password-reset`));
  const tokens = (await Promise.all(links)).map(async answer => new URL((await answer.json()).url).searchParams);
  const browser = await pageOf(house.baseURL);
  const resets = tokens.map(async token => {
    const data = { token: (await token).get('token'), password: 'another orchard' };
    return (await browser.put('/api/password-reset', { data })).status();
  });
  expect((await Promise.all(resets)).toSorted()).toEqual([200, 400]);
});

test('a two-factor code of multi-byte characters is refused like any wrong code', async ({ house }) => {
  const { page, email } = await openMember(house);
  const { secret } = await (await page.post('/api/account/second-step')).json();
  const code = new TOTP({ secret }).generate();
  expect((await page.put('/api/account/second-step', { data: { code } })).status()).toBe(200);
  // as many characters as a recovery code has
  const response = await page.post('/api/session', { data: { email, password: PASSWORD, code: 'é'.repeat(10) } });
  await refusal(response, 400, 'invalid_request');
});

test('429 rate_limited: too many wrong passwords for a known or an unknown address, with Retry-After', async ({
  house,
}) => {
  const { email } = await openMember(house);
  const page = await pageOf(house.baseURL);
  for (const address of [email, newAddress()]) {
    for (let n = 0; n < 10; n++) {
      const response = await page.post('/api/session', { data: { email: address, password: 'wrong password' } });
      await refusal(response, 401, 'unauthorized');
    }
    const response = await page.post('/api/session', { data: { email: address, password: PASSWORD } });
    await refusal(response, 429, 'rate_limited');
    expect(Number(response.headers()['retry-after'])).toBeGreaterThan(600);
  }
});

const SITES = [undefined, 'same-origin', 'same-site', 'cross-site', 'none'];
const TYPES = [
  'application/json',
  'Application/JSON; charset=utf-8',
  'text/plain',
  'application/x-www-form-urlencoded',
  undefined,
];
/** Requests without lasting effects, which the matrix may repeat. */
const ACTS = [
  { method: 'GET', path: '/v1/account' },
  { method: 'POST', path: `/v1/${QUICK.architecture}/estimate` },
  { method: 'DELETE', path: `/v1/requests/${randomUUID()}` },
  { method: 'GET', path: '/api/account' },
  { method: 'PATCH', path: '/api/account' },
  { method: 'PUT', path: '/api/account/auto-top-up' },
  { method: 'DELETE', path: `/api/account/keys/${randomUUID()}` },
  { method: 'POST', path: '/api/password-reset' },
];

for (const { method, path } of ACTS) {
  const name = path.replace(/[0-9a-f-]{36}/, '{id}');
  test(`CSRF: ${method} ${name} from every site, origin and content type, with cookie and key`, async ({ house }) => {
    const { cookie, customer } = await openMember(house);
    const own = new URL(house.baseURL).origin;
    for (const site of SITES) {
      for (const origin of [undefined, own, 'https://evil.example', 'null']) {
        for (const type of TYPES) {
          const hasBody = type !== undefined && method !== 'GET';
          const headers = {
            ...(site !== undefined && { 'sec-fetch-site': site }),
            ...(origin !== undefined && { origin }),
            ...(hasBody && { 'content-type': type }),
          };
          const body = hasBody ? { body: '{"prompt":"rain","name":null,"auto_top_up":null}' } : {};
          const send = (more: Record<string, string>) =>
            fetch(house.baseURL + path, { method, ...body, headers: { ...headers, ...more } });
          const isOurs =
            [undefined, 'same-origin'].includes(site) && (origin === undefined ? site !== undefined : origin === own);
          const isJson = !hasBody || type.toLowerCase().startsWith('application/json');
          const allowed = method === 'GET' || (isOurs && isJson);
          const told = `${method} ${site} ${origin} ${type}`;
          const status = (await send({ cookie })).status;
          if (allowed) expect(status, told).not.toBe(401);
          else expect(status, told).toBe(401);
          if (!path.startsWith('/v1/')) continue;
          expect((await send({ authorization: `Bearer ${customer.key}` })).status, told).not.toBe(401);
          // a valid cookie does not make up for an invalid key
          expect((await send({ cookie, authorization: 'Bearer nonsense' })).status, told).toBe(401);
        }
      }
    }
  });
}

/** Fills a path with ids that exist, so that the status depends only on the caller. */
const fill = (path: string, ids: { account: string; request: string }): string =>
  path
    .replace('{account_id}', ids.account)
    .replace('{request_id}', ids.request)
    .replace('{architecture}', QUICK.architecture)
    .replace(/\{\w+\}/, randomUUID());

test('account operations require a session: 401 without one or with a key, 405 for other methods', async ({
  house,
}) => {
  const { customer } = await openMember(house);
  const stranger = await pageOf(house.baseURL);
  for (const { auth, method, path } of Object.values(studioOperations)) {
    if (auth !== 'session' && auth !== 'recent session') continue;
    const url = fill(path, { account: customer.accountId, request: randomUUID() });
    await refusal(await stranger.fetch(url, { method }), 401, 'unauthorized');
    await refusal(await customer.api.fetch(url, { method }), 401, 'unauthorized');
  }
  await refusal(await stranger.get('/api/account/ledger.csv'), 401, 'unauthorized');
  await refusal(await customer.api.get('/api/account/ledger.csv'), 401, 'unauthorized');
  await refusal(await stranger.get('/api/account/export'), 401, 'unauthorized');
  expect((await stranger.fetch('/api/account/keys', { method: 'PUT' })).status()).toBe(405);
  await refusal(await stranger.get('/api/nothing'), 404, 'not_found');
});

test('the account export is refused to requests from other sites', async ({ house }) => {
  const { page } = await openMember(house);
  for (const site of ['cross-site', 'same-site'])
    await refusal(await page.get('/api/account/export', { headers: { 'sec-fetch-site': site } }), 401, 'unauthorized');
  for (const site of ['same-origin', 'none'])
    expect((await page.get('/api/account/export', { headers: { 'sec-fetch-site': site } })).status()).toBe(200);
});

test('operator operations answer 404 to other users and to API keys', async ({ house }) => {
  const operator = await openMember(house, { operator: true });
  const member = await openMember(house);
  const { request_id: request } = await member.customer.submit();
  const stranger = await pageOf(house.baseURL);
  for (const { auth, method, path } of Object.values(studioOperations)) {
    if (auth !== 'operator') continue;
    const url = fill(path, { account: member.accountId, request });
    for (const api of [stranger, member.page, member.customer.api, operator.customer.api]) {
      await refusal(await api.fetch(url, { method, ...(method !== 'GET' && { data: {} }) }), 404, 'not_found');
    }
    const status = (await operator.page.fetch(url, { method, ...(method !== 'GET' && { data: {} }) })).status();
    expect([200, 201, 400, 404, 409], `${method} ${url}`).toContain(status);
  }
  const elsewhere = { headers: { origin: 'https://evil.example' }, data: { disabled: true } };
  await refusal(await operator.page.patch(`/api/admin/accounts/${member.accountId}`, elsewhere), 401, 'unauthorized');
});

test('CSRF: a chunked body without a content type is refused', async ({ house }) => {
  const { cookie } = await openMember(house);
  const body = new Blob(['{"name":null}']).stream();
  const headers = { cookie, origin: new URL(house.baseURL).origin };
  const answer = await fetch(`${house.baseURL}/api/account`, {
    method: 'PATCH',
    headers,
    body,
    duplex: 'half',
  } as object);
  expect(answer.status).toBe(401);
});

test('only its own account can change the budget of a key, and the change takes effect immediately', async ({
  idle,
}) => {
  const [owner, other] = [await openMember(idle), await openMember(idle)];
  const change = (who: typeof owner, monthly_budget: number | null) =>
    who.page.patch(`/api/account/keys/${owner.customer.keyId}`, { data: { monthly_budget } });
  await refusal(await change(other, 1), 404, 'not_found');
  await owner.customer.submit();
  const changed = await change(owner, QUICK.gems + 1);
  expect(await changed.json()).toMatchObject({ id: owner.customer.keyId, monthly_budget: QUICK.gems + 1 });
  await refusal(await owner.customer.post(), 402, 'insufficient_gems');
  expect(await (await change(owner, null)).json()).toMatchObject({ monthly_budget: null });
  await owner.customer.submit();
});

test('404: a key of another account', async ({ house }) => {
  const [owner, other] = [await openMember(house), await openMember(house)];
  const response = await other.page.delete(`/api/account/keys/${owner.customer.keyId}?cancel=true`);
  expect(await refusal(response, 404, 'not_found')).toEqual(
    await refusal(await other.page.delete(`/api/account/keys/${randomUUID()}`), 404, 'not_found'),
  );
  expect(await owner.customer.balance()).toBe(10_000);
});

test('grants, limits and disabling by an operator take effect at the next request and are audited', async ({
  house,
}) => {
  const operator = await openMember(house, { operator: true });
  const { accountId, page, customer, email } = await openMember(house);
  const act = `/api/admin/accounts/${accountId}`;
  const granted = await operator.page.post(`${act}/grants`, { data: { gems: 5, reason: 'a gift' } });
  expect(await granted.json()).toMatchObject({ balance: 10_005, entry: { kind: 'grant', reason: 'a gift' } });
  await operator.page.patch(act, { data: { may_generate: false } });
  for (const api of [page, customer.api]) {
    await refusal(await api.post(`/v1/${QUICK.architecture}/generate`, { data: QUICK.body }), 403, 'forbidden');
  }
  await operator.page.patch(act, { data: { disabled: true } });
  await refusal(await page.get('/v1/account'), 401, 'unauthorized');
  await refusal(await customer.api.get('/v1/account'), 401, 'unauthorized');
  const { data } = await (await operator.page.get(`/api/admin/audit?account_id=${accountId}`)).json();
  expect(data).toMatchObject([
    { actor: operator.email, act: 'account.change', subject: email, after: { disabled: true } },
    { act: 'account.change', after: { may_generate: false } },
    { act: 'gems.grant', after: { gems: 5 } },
  ]);
});

test('top-ups and grants run once per idempotency key, even when they are sent at the same time', async ({ house }) => {
  const operator = await openMember(house, { operator: true });
  const { accountId, page, customer } = await openMember(house);
  await operator.page.patch(`/api/admin/accounts/${accountId}`, { data: { top_up_limit: 5000 } });
  const headers = { 'idempotency-key': randomUUID() };
  const topUp = (more = {}) => page.post('/api/account/top-ups', { data: { gems: 700 }, headers, ...more });
  const answers = await Promise.all(Array.from({ length: 4 }, () => topUp()));
  expect(answers.map(answer => answer.status())).toEqual([201, 201, 201, 201]);
  const payments = await Promise.all(answers.map(async answer => (await answer.json()).payment));
  expect(new Set(payments.map(({ id }) => id)).size).toBe(1);
  expect(payments[3]).toMatchObject({ status: 'succeeded', gems: 700 });
  expect(await customer.balance()).toBe(10_700);
  // the body of a replay is not compared, and another key is another payment
  expect(await (await topUp({ data: { gems: 5000 } })).json()).toMatchObject({ payment: payments[0], balance: 10_700 });
  expect((await topUp({ headers: { 'idempotency-key': randomUUID() } })).status()).toBe(201);
  expect((await topUp({ headers: {} })).status()).toBe(201);
  await refusal(await topUp({ headers: { 'idempotency-key': 'x'.repeat(256) } }), 400, 'invalid_request');
  expect(await customer.balance()).toBe(12_100);

  const other = await house.open({ gems: 0 });
  const grant = (id: string) =>
    operator.page.post(`/api/admin/accounts/${id}/grants`, { data: { gems: 5, reason: 'a gift' }, headers });
  const grants = await Promise.all(Array.from({ length: 4 }, () => grant(accountId)));
  const told = await Promise.all(grants.map(answer => answer.json()));
  expect(told[0]).toMatchObject({ balance: 12_105, entry: { kind: 'grant', gems: 5 } });
  expect(told.filter(({ entry }) => entry.id === told[0].entry.id)).toHaveLength(4);
  expect((await grant(other.accountId)).status()).toBe(201);
  expect([await customer.balance(), await other.balance()]).toEqual([12_105, 5]);
  const { data } = await (await operator.page.get(`/api/admin/audit?account_id=${accountId}`)).json();
  expect(data.filter(({ act }: { act: string }) => act === 'gems.grant')).toHaveLength(1);
});

test('an account can delete itself with its password, and then its key and session are refused', async ({ idle }) => {
  const [operator, { page, customer, email, cookie, accountId }] = [
    await openMember(idle, { operator: true }),
    await openMember(idle),
  ];
  const live = await customer.submit();
  const leave = (data: object) => page.delete('/api/account', { data });
  await refusal(await leave({ confirm: email, password: 'wrong password' }), 400, 'invalid_request');
  await refusal(await leave({ confirm: 'yes', password: PASSWORD }), 400, 'invalid_request');
  expect((await leave({ confirm: email, password: PASSWORD })).status()).toBe(204);
  await refusal(await customer.api.get(`/v1/requests/${live.request_id}/status`), 401, 'unauthorized');
  await refusal(await page.get('/v1/account', { headers: { cookie } }), 401, 'unauthorized');
  expect(await actsOn(operator.page, accountId)).toEqual(['account.delete']);
});

/** Returns the acts on an account in the audit log, oldest first. */
async function actsOn(page: APIRequestContext, accountId: string): Promise<string[]> {
  const { data } = await (await page.get(`/api/admin/audit?account_id=${accountId}`)).json();
  return data.map(({ act }: { act: string }) => act).toReversed();
}

test('changes to API keys by their owner are audited without the secret', async ({ house }) => {
  const [operator, { page, accountId, email }] = [await openMember(house, { operator: true }), await openMember(house)];
  const made = await (await page.post('/api/account/keys', { data: { name: 'laptop' } })).json();
  const rolled = await (await page.post(`/api/account/keys/${made.id}/roll`, { data: {} })).json();
  // the second call changes nothing
  for (const monthly_budget of [500, 500])
    await page.patch(`/api/account/keys/${made.id}`, { data: { monthly_budget } });
  await page.delete(`/api/account/keys/${made.id}`);
  await refusal(await page.post(`/api/account/keys/${made.id}/roll`, { data: {} }), 404, 'not_found');
  expect(await actsOn(operator.page, accountId)).toEqual(['key.create', 'key.roll', 'key.budget', 'key.revoke']);
  const told = await (await operator.page.get(`/api/admin/audit?account_id=${accountId}`)).text();
  expect(JSON.parse(told).data[1]).toMatchObject({ before: { monthlyBudget: null }, after: { monthlyBudget: 500 } });
  expect(JSON.parse(told).data[3]).toMatchObject({
    actor: email,
    after: { name: 'laptop', lastFour: made.key.slice(-4) },
  });
  for (const { key } of [made, rolled]) expect(told).not.toContain(key);
});

test('bad input never gives a 5xx', async ({ house }) => {
  const operator = await openMember(house, { operator: true });
  const bodies = [
    '',
    '{',
    '[]',
    'null',
    '{"email":1}',
    '{"email":"a\\u0000@b.c","password":"aaaaaaaaaaaa"}',
    '{"gems":1e400}',
  ];
  for (const { method, path } of Object.values(studioOperations)) {
    if (method === 'GET' || path === '/api/session') continue;
    const url = fill(path, { account: 'no-uuid', request: 'no-uuid' });
    for (const body of bodies) {
      const headers = { 'content-type': 'application/json' };
      const response = await operator.page.fetch(url, { method, headers, data: Buffer.from(body) });
      expect(response.status(), `${method} ${url} ${body}: ${await response.text()}`).toBeLessThan(500);
      if (response.status() >= 400) errorEnvelope.parse(await response.json());
    }
  }
});
