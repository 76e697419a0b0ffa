import { randomUUID } from 'node:crypto';
import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import { Agent } from '../agent.ts';
import { openContext } from '../api-context.ts';
import { ALL, App, locationOf, register, RETURN, type Tokens } from '../connecting-app.ts';
import { refusal } from '../customer.ts';
import { expect, test } from '../fixtures.ts';
import { openMediaHost } from '../media-host.ts';
import { openMember, pageOf } from '../member.ts';

// OAuth apps that act for a user: what they are granted, and what they cannot get

const tokenOf = (key: string) => ({ authorization: `Bearer ${key}` });

/** Arguments of the `generate` tool, with a new idempotency key. */
const job = (architecture: string) => ({
  architecture,
  config: { prompt: 'a quince on a sill' },
  idempotency_key: randomUUID(),
});

test('the MCP SDK client connects through metadata, registration, consent and tokens', async ({ house }) => {
  const member = await openMember(house);
  let back = new URLSearchParams();
  const kept: Record<string, unknown> = {};
  const provider: OAuthClientProvider = {
    redirectUrl: RETURN,
    // as the examples of the SDKs do, although public clients get no secret
    clientMetadata: {
      client_name: 'Orchard Agent',
      redirect_uris: [RETURN],
      token_endpoint_auth_method: 'client_secret_post',
    },
    clientInformation: () => kept.client as never,
    saveClientInformation: client => void (kept.client = client),
    tokens: () => kept.tokens as never,
    saveTokens: tokens => void (kept.tokens = tokens),
    saveCodeVerifier: verifier => void (kept.verifier = verifier),
    codeVerifier: () => String(kept.verifier),
    saveDiscoveryState: state => void (kept.state = state),
    discoveryState: () => kept.state as never,
    redirectToAuthorization: async url => {
      const consent = locationOf(await member.page.get(url.href, { maxRedirects: 0 }));
      const answer = await member.page.post(`${consent}/answer`, { data: { given: { scopes: ['read'] } } });
      const { redirect_to } = await answer.json();
      back = new URL(locationOf(await member.page.get(redirect_to, { maxRedirects: 0 }))).searchParams;
    },
  };
  const agent = await Agent.letIn(house.baseURL, provider, () => back);
  expect((await agent.call('list_history')).data).toEqual({ data: [], next_cursor: null });
  // a scope that the user did not grant
  expect((await agent.call('get_account')).data.error).toMatchObject({ code: 'forbidden' });
  const { data } = await (await member.page.get('/api/account/keys')).json();
  expect(data[0]).toMatchObject({ name: 'Orchard Agent', app: { returns_to: '127.0.0.1' }, scopes: ['read'] });
  const operator = await openMember(house, { operator: true });
  const audit = await (await operator.page.get(`/api/admin/audit?account_id=${member.accountId}`)).json();
  const after = { name: 'Orchard Agent', returns_to: '127.0.0.1', scopes: ['read'] };
  expect(audit.data).toMatchObject([{ act: 'app.let_in', actor: member.email, after }]);
});

test('a generation beyond the monthly budget of an app is refused with a message for the user', async ({ house }) => {
  const member = await openMember(house);
  const app = await App.register(house.baseURL);
  const { access_token } = await app.connect(member, { scopes: ALL, monthly_budget: 100 });
  const agent = await Agent.connect(house.baseURL, { key: access_token });
  // ten generations of ten gems each
  for (let spent = 0; spent < 100; spent += 10) {
    const { data } = await agent.call('generate', job('z_image'));
    await agent.call('cancel_request', { request_id: data.request_id });
  }
  const again = job('z_image');
  const refused = await agent.call('generate', again);
  expect(refused.isError).toBe(true);
  expect(refused.data.error).toMatchObject({ code: 'insufficient_gems', gems_required: 10, balance: 9_900 });
  expect(refused.data.error.message).toContain('monthly budget of 100 gems has 0 left');
  expect(refused.data.error.tell_the_person).toMatch(/needs 10 gems.+0 are left of the 100/);
  expect(refused.data.error.tell_the_person).toContain(`${house.baseURL}/account/api`);
  expect(await member.customer.balance()).toBe(9_900);

  // after the user raised the budget, the replayed refusal asks nothing of them
  await house.pool.query('update api_keys set monthly_budget = 500 where account_id = $1 and app is not null', [
    member.accountId,
  ]);
  const replayed = await agent.call('generate', again);
  expect(replayed.data.error).toMatchObject({ code: 'insufficient_gems' });
  expect(replayed.data.error).not.toHaveProperty('tell_the_person');
  expect((await agent.call('generate', job('z_image'))).isError).toBeFalsy();
});

test('OAuth tokens are accepted only at /mcp, and end when their connection is revoked', async ({ house }) => {
  const member = await openMember(house);
  const app = await App.register(house.baseURL);
  const { access_token, refresh_token, expires_in } = await app.connect(member, { scopes: ALL });
  expect(expires_in).toBeLessThanOrEqual(3_600);
  const api = await openContext({ baseURL: house.baseURL, extraHTTPHeaders: tokenOf(access_token) });
  expect((await api.get('/v1/account')).status()).toBe(401);
  const agent = await Agent.connect(house.baseURL, { key: access_token });
  expect((await agent.call('get_account')).data).toEqual({ gems: { balance: 10_000 } });

  const { data } = await (await member.page.get('/api/account/keys')).json();
  await member.page.delete(`/api/account/keys/${data[0].id}`);
  await expect(agent.call('get_account')).rejects.toThrow(/401|valid API key/);
  expect(await (await app.refresh(refresh_token)).json()).toMatchObject({ error: 'invalid_grant' });
});

test('the API key behind a connected app cannot be rolled', async ({ house }) => {
  const member = await openMember(house);
  await (await App.register(house.baseURL)).connect(member);
  const { data } = await (await member.page.get('/api/account/keys')).json();
  const connection = data.find(({ app }: { app: object | null }) => app);
  const rolled = await member.page.post(`/api/account/keys/${connection.id}/roll`, { data: {} });
  await refusal(rolled, 404, 'not_found');
});

test('an expired connection refuses both its access token and its refresh token', async ({ house }) => {
  const member = await openMember(house);
  const app = await App.register(house.baseURL);
  const { access_token, refresh_token } = await app.connect(member, {
    scopes: ALL,
    expires_at: new Date(Date.now() + 60_000).toISOString(),
  });
  await house.pool.query(`update api_keys set expires_at = now() where account_id = $1 and app is not null`, [
    member.accountId,
  ]);
  await expect(Agent.connect(house.baseURL, { key: access_token })).rejects.toThrow();
  expect((await app.refresh(refresh_token)).status()).toBe(400);
});

test('a refresh token works once; using it again revokes the connection', async ({ house }) => {
  const member = await openMember(house);
  const app = await App.register(house.baseURL);
  const first = await app.connect(member);
  const together = await Promise.all([1, 2, 3, 4].map(() => app.refresh(first.refresh_token)));
  const got = together.filter(answer => answer.ok());
  expect(got.length).toBeLessThanOrEqual(1);
  const again = await app.connect(member);
  const second = (await (await app.refresh(again.refresh_token)).json()) as typeof first;
  expect(second.refresh_token).not.toBe(again.refresh_token);
  expect(await (await app.refresh(again.refresh_token)).json()).toMatchObject({ error: 'invalid_grant' });
  expect((await app.refresh(second.refresh_token)).status()).toBe(400);
  await expect(Agent.connect(house.baseURL, { key: second.access_token })).rejects.toThrow();
  const { data } = await (await member.page.get('/api/account/keys')).json();
  expect(data[0].revoked_at).not.toBeNull();
});

test('a wrong resource does not use up a code or token; a final slash and capitals in the host are ignored', async ({
  house,
}) => {
  const member = await openMember(house);
  const app = await App.register(house.baseURL);
  const elsewhere = { resource: 'https://elsewhere.example/mcp' };
  const [here, written] = [`${house.baseURL}/mcp`, `${house.baseURL.toUpperCase()}/mcp/`];
  const code = await app.code(member, { scopes: ALL }, { resource: written });
  expect(await (await app.redeem(code, elsewhere)).json()).toMatchObject({ error: 'invalid_target' });
  const { refresh_token } = (await (await app.redeem(code, { resource: here })).json()) as Tokens;
  expect(await (await app.refresh(refresh_token, elsewhere)).json()).toMatchObject({ error: 'invalid_target' });
  const { access_token } = (await (await app.refresh(refresh_token, { resource: written })).json()) as Tokens;
  const agent = await Agent.connect(house.baseURL, { key: access_token });
  expect((await agent.call('get_account')).isError).toBe(false);
});

test('an app can revoke its own tokens, but not those of another app', async ({ house }) => {
  const [app, other] = [await App.register(house.baseURL), await App.register(house.baseURL)];
  const { refresh_token, access_token } = await app.connect(await openMember(house));
  await other.revoke(refresh_token);
  await Agent.connect(house.baseURL, { key: access_token });
  expect((await app.revoke(refresh_token)).status()).toBe(200);
  await expect(Agent.connect(house.baseURL, { key: access_token })).rejects.toThrow();
});

test('an authorization code is bound to its app, redirect URI and PKCE verifier, and works once', async ({ house }) => {
  const member = await openMember(house);
  const [app, other] = [await App.register(house.baseURL), await App.register(house.baseURL)];
  const refused = async (code: string, by: App, changes: Record<string, string> = {}) =>
    expect(await (await by.redeem(code, changes)).json()).toMatchObject({ error: 'invalid_grant' });
  await refused(await app.code(member), other);
  await refused(await app.code(member), app, { client_id: other.clientId });
  await refused(await app.code(member), app, { redirect_uri: 'http://127.0.0.1:9/elsewhere' });
  await refused(await app.code(member), app, { code_verifier: 'x'.repeat(43) });
  expect((await app.redeem(await app.code(member), { code_verifier: '' })).status()).toBe(400);
  // of several concurrent requests, at most one gets tokens
  const code = await app.code(member);
  const { rows } = await house.pool.query(
    `select max(extract(epoch from expires_at - now()))::float as left from oauth_records where model = 'AuthorizationCode'`,
  );
  expect(rows[0].left).toBeLessThanOrEqual(60);
  const answers = await Promise.all(Array.from({ length: 8 }, () => app.redeem(code)));
  expect(answers.filter(answer => answer.ok()).length).toBeLessThanOrEqual(1);
  // a code that is used twice counts as stolen: the tokens issued for it are revoked
  const stolen = await app.code(member);
  const { access_token } = (await (await app.redeem(stolen)).json()) as { access_token: string };
  await refused(stolen, app);
  await expect(Agent.connect(house.baseURL, { key: access_token })).rejects.toThrow();
});

test('an app cannot use the refresh token of another app', async ({ house }) => {
  const [app, other] = [await App.register(house.baseURL), await App.register(house.baseURL)];
  const { refresh_token } = await app.connect(await openMember(house));
  expect(await (await other.refresh(refresh_token)).json()).toMatchObject({ error: 'invalid_grant' });
});

test('a client id may be a metadata URL, which is fetched without redirects and never from a private address', async ({
  idle,
}) => {
  const host = await openMediaHost();
  const web = await idle.startWeb(host.env);
  const house = { ...idle, baseURL: web.baseURL };
  const app = await App.at(web.baseURL, `${host.url}/app.json`);
  const tokens = await app.connect(await openMember(house));
  expect((await app.refresh(tokens.refresh_token)).status()).toBe(200);
  const { page } = await openMember(house);
  const ask = async (address: string) =>
    locationOf(await page.get((await App.at(web.baseURL, address)).question(), { maxRedirects: 0 }));
  for (const address of [`${host.url}/moved.json`, `${host.url}/picture.png`, 'https://127.0.0.1:9/app.json'])
    expect(await ask(address), address).toMatch(/refused\?reason=invalid_client/);
  // the server does not fetch the metadata of an app that no user authorized
  const before = host.asked.length;
  const stranger = await App.at(web.baseURL, `${host.url}/other.json`);
  expect(await (await stranger.refresh('x')).json()).toMatchObject({ error: 'invalid_client' });
  expect(host.asked).toHaveLength(before);
  await host.close();
});

test('an authorization request with an unsafe redirect URI or invalid parameters shows no consent page', async ({
  house,
}) => {
  const { page } = await openMember(house);
  const app = await App.register(house.baseURL, {
    redirect_uris: ['https://agent.example/callback', RETURN],
  });
  const ask = async (changes: Record<string, string | undefined>) =>
    locationOf(await page.get(app.question(changes), { maxRedirects: 0 }));
  for (const redirect_uri of [
    'https://evil.example/callback',
    'https://agent.example/callback/../steal',
    'https://agent.example/callback?x=1',
    'https://agent.example.evil.example/callback',
    'https://agent.example@evil.example/callback',
    'http://127.0.0.1.evil.example:43110/callback',
    'http://127.0.0.1:43110/callback#part',
    'javascript:alert(1)',
  ])
    expect(await ask({ redirect_uri }), redirect_uri).toMatch(/^\/oauth\/consent\/refused\?reason=invalid_/);
  // Postgres cannot store a null character
  expect(await ask({ state: 'a\0b' })).toMatch(/error=invalid_request/);
  expect(await ask({ client_id: 'nobody' })).toBe('/oauth/consent/refused?reason=invalid_client');
  // the port of a loopback redirect URI may differ
  expect(await ask({ redirect_uri: 'http://127.0.0.1:50000/callback' })).toMatch(/^\/oauth\/consent\/(?!refused)/);

  const sentBack = async (changes: Record<string, string | undefined>) =>
    /[?#&]error=(\w+)/.exec(await ask(changes))?.[1];
  expect(await sentBack({ code_challenge: undefined, code_challenge_method: undefined })).toBe('invalid_request');
  expect(await sentBack({ code_challenge_method: 'plain' })).toBe('invalid_request');
  expect(await sentBack({ response_type: 'token' })).toBe('unsupported_response_type');
  expect(await sentBack({ resource: 'https://elsewhere.example/mcp' })).toBe('invalid_target');
  expect(await sentBack({ prompt: 'none' })).toBe('login_required');
});

test('registration refuses unsafe redirect URIs, invalid metadata and oversized values', async ({ house }) => {
  const api = await openContext({ baseURL: house.baseURL });
  for (const redirect_uri of [
    'http://agent.example/callback',
    'javascript:alert(1)',
    'data:text/html,hello',
    'https://agent.example/#part',
    'no address',
  ])
    expect((await register(api, { redirect_uris: [redirect_uri] })).status(), redirect_uri).toBe(400);
  expect((await register(api, { redirect_uris: [redirectOf(1)], application_type: 'web' })).status()).toBe(400);
  expect((await register(api, { redirect_uris: [] })).status()).toBe(400);
  const deep = Buffer.from(`{"redirect_uris": ${'['.repeat(5_000)}${']'.repeat(5_000)}}`);
  const headers = { 'content-type': 'application/json' };
  expect((await api.post('/oauth/register', { data: deep, headers })).status()).toBe(400);
  for (const client_name of ['x'.repeat(70_000), 'a\0b', 'a\ud800b', [[]]])
    expect((await register(api, { client_name })).status()).toBe(400);
  expect((await register(api, { token_endpoint_auth_method: 'private_key_jwt' })).status()).toBe(400);
  expect((await register(api, { grant_types: ['client_credentials'] })).status()).toBe(400);
  const registered = await register(api, { redirect_uris: ['cursor://agent/callback'] });
  expect(registered.status()).toBe(201);
  // public clients get no secret
  expect(await registered.json()).not.toHaveProperty('client_secret');
});

test('an app without a name is named after its redirect target, even a custom scheme', async ({ house }) => {
  const member = await openMember(house);
  const redirect_uri = 'cursor://agent/callback';
  const app = await App.register(house.baseURL, { client_name: undefined, redirect_uris: [redirect_uri] });
  await app.code(member, { scopes: ['read'] }, { redirect_uri });
  const { data } = await (await member.page.get('/api/account/keys')).json();
  expect(data[0]).toMatchObject({ name: 'cursor:', app: { returns_to: 'cursor:' } });
});

const redirectOf = (n: number) => `http://192.0.2.${n}/callback`;

test('only the user who was asked can answer a consent, from this site, and only once', async ({ house }) => {
  const [member, other] = [await openMember(house), await openMember(house)];
  const app = await App.register(house.baseURL, { client_name: `Orchard \u202e\nAgent ${'of apples '.repeat(9)}` });
  const consent = locationOf(await member.page.get(app.question(), { maxRedirects: 0 }));
  const data = { given: { scopes: ['read'] } };
  // another user who is sent this link: their consent would give the asking browser access to their account
  expect((await other.page.post(`${consent}/answer`, { data })).status()).toBe(404);
  // a page of another site, and a browser without a session
  const elsewhere = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
  expect((await member.page.post(`${consent}/answer`, { data, headers: elsewhere })).status()).toBe(401);
  expect((await (await pageOf(house.baseURL)).post(`${consent}/answer`, { data })).status()).toBe(401);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  expect((await member.page.post(`${consent}/answer`, { data: 'given=1', headers: form })).status()).toBe(401);
  // the URL of another user's consent, with the cookie of an own one
  await other.page.get(app.question(), { maxRedirects: 0 });
  const { cookies } = await other.page.storageState();
  const headers = { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') };
  expect((await other.page.post(`${consent}/answer`, { data, headers })).status()).toBe(404);

  const shown = await member.page.get(consent);
  expect(await shown.text()).toContain('“Orchard Agent of apples of apples of apples of apples of app…”');

  const no = await member.page.post(`${consent}/answer`, { data: { given: null } });
  const back = locationOf(await member.page.get((await no.json()).redirect_to, { maxRedirects: 0 }));
  expect(new URL(back).searchParams.get('error')).toBe('access_denied');
  // the consent has already been answered
  expect((await member.page.post(`${consent}/answer`, { data })).status()).toBe(404);
});

test('form_post returns the code on a page that cannot be framed and runs only its own script', async ({ house }) => {
  const member = await openMember(house);
  const app = await App.register(house.baseURL);
  const question = app.question({ response_mode: 'form_post', state: '"><script>' });
  const consent = locationOf(await member.page.get(question, { maxRedirects: 0 }));
  const answered = await member.page.post(`${consent}/answer`, { data: { given: { scopes: ['read'] } } });
  const posting = await member.page.get((await answered.json()).redirect_to);
  const policy = posting.headers()['content-security-policy'] ?? 'none';
  expect(policy).toMatch(/^default-src 'none'; *script-src 'sha256-[^']+'; *base-uri 'none'; *frame-ancestors 'none'$/);
  const page = await posting.text();
  expect(page).toContain('value="&quot;&gt;&lt;script&gt;"');
  const code = /name="code" value="([^"]+)"/.exec(page)?.[1];
  expect((await app.redeem(String(code))).status()).toBe(200);
});

test('a consent that is answered several times creates one connection', async ({ house }) => {
  const { page } = await openMember(house);
  const connections = async () => (await (await page.get('/api/account/keys')).json()).data.length as number;
  const before = await connections();
  const app = await App.register(house.baseURL);
  const consent = locationOf(await page.get(app.question(), { maxRedirects: 0 }));
  const say = (given: object | null) => page.post(`${consent}/answer`, { data: { given } });
  // a refused answer does not count
  expect((await say({ scopes: ALL, expires_at: '2020-01-01T00:00:00.000Z' })).status()).toBe(400);
  const together = await Promise.all([1, 2, 3, 4].map(() => say({ scopes: ['read', 'read'] })));
  const heard = together.filter(answer => answer.ok());
  expect(heard.length).toBeGreaterThan(0);
  const { redirect_to } = await heard[0]!.json();
  // a retry, as after a lost response, gets the same answer
  expect(await (await say({ scopes: ['read'] })).json()).toEqual({ redirect_to });
  await refusal(await say(null), 404, 'not_found');
  expect(await connections()).toBe(before + 1);
  const back = new URL(locationOf(await page.get(redirect_to, { maxRedirects: 0 })));
  expect(await (await app.redeem(back.searchParams.get('code')!)).json()).toMatchObject({ scope: 'read' });
});

test('an app is not granted scopes that it did not ask for', async ({ house }) => {
  const { page } = await openMember(house);
  const app = await App.register(house.baseURL);
  const consent = locationOf(await page.get(app.question({ scope: 'read' }), { maxRedirects: 0 }));
  const more = await page.post(`${consent}/answer`, { data: { given: { scopes: ['read', 'generate'] } } });
  expect((await more.json()).error).toMatchObject({ code: 'invalid_request', issues: [{ path: '/scopes' }] });
  expect((await page.post(`${consent}/answer`, { data: { given: { scopes: [] } } })).status()).toBe(400);
});

test('an app that requests no scope asks for all scopes, or for those of its registration', async ({ house }) => {
  const member = await openMember(house);
  const scopesOf = async (metadata: object, scope: string | undefined) => {
    const app = await App.register(house.baseURL, metadata);
    const code = await app.code(member, { scopes: ['read'] }, { scope });
    return ((await (await app.redeem(code)).json()) as { scope: string }).scope;
  };
  for (const scope of [undefined, '', 'offline_access', 'tea'])
    expect(await scopesOf({}, scope), String(scope)).toBe('read');
  expect(await scopesOf({ scope: 'read cast' }, undefined)).toBe('read');
  const app = await App.register(house.baseURL, { scope: 'read cast' });
  await expect(app.code(member, { scopes: ['account'] }, { scope: undefined })).rejects.toThrow(
    /did not ask for account/,
  );
});

test('unknown scopes in a registration are dropped, and the app can still connect', async ({ house }) => {
  const member = await openMember(house);
  const api = await openContext({ baseURL: house.baseURL });
  const registered = async (scope: string) => (await (await register(api, { scope })).json()) as { scope?: string };
  expect(await registered('read claudeai')).toMatchObject({ scope: 'read' });
  for (const scope of ['claudeai', 'openid profile email offline_access']) {
    expect(await registered(scope), scope).not.toHaveProperty('scope');
    const app = await App.register(house.baseURL, { scope });
    for (const asked of [scope, undefined, 'read']) {
      const tokens = await (await app.redeem(await app.code(member, { scopes: ['read'] }, { scope: asked }))).json();
      expect(tokens, scope).toMatchObject({ scope: expect.stringContaining('read') });
    }
  }
});

test('a token refreshed with fewer scopes is limited to them', async ({ house }) => {
  const app = await App.register(house.baseURL);
  const { refresh_token } = await app.connect(await openMember(house));
  const read = (await (await app.refresh(refresh_token, { scope: 'read' })).json()) as Tokens;
  expect(read.scope).toBe('read');
  const reader = await Agent.connect(house.baseURL, { key: read.access_token });
  expect((await reader.call('list_history')).isError).toBe(false);
  expect((await reader.call('get_account')).data.error).toMatchObject({ code: 'forbidden' });
  // after the user granted more, the app gets it with its refresh token
  const all = (await (await app.refresh(read.refresh_token)).json()) as Tokens;
  const agent = await Agent.connect(house.baseURL, { key: all.access_token });
  expect((await agent.call('get_account')).isError).toBe(false);
});

test('tokens are not stored in plain text', async ({ house }) => {
  const app = await App.register(house.baseURL);
  const { access_token, refresh_token } = await app.connect(await openMember(house));
  const { rows } = await house.pool.query<{ row: string }>('select r::text as row from oauth_records r');
  const all = rows.map(({ row }) => row).join('\n');
  for (const token of [access_token, refresh_token]) expect(all).not.toContain(token);
});
