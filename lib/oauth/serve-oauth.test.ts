import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { createApiKey, listApiKeys } from '#lib/accounts/api-keys';
import { writeKeyUses } from '#lib/accounts/key-use';
import { db, pool } from '#lib/db/client';
import { oauthRecords } from '#lib/db/schema';
import { useOwnDatabase } from '#lib/db/test-database';
import { forgetOauthRecords } from '#lib/retention/forget-oauth-records';
import { verifyAccessToken } from '#lib/oauth/access-token';
import { Records } from '#lib/oauth/records';
import { resourceOf } from '#lib/oauth/resource';
import { serveOauth } from '#lib/oauth/serve-oauth';
import { hashSecret } from '#lib/secrets';

await useOwnDatabase();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-oauth-'));
process.env.LIMIT_APPS_PER_ADDRESS = '3';

const HERE = 'http://localhost:1/callback';

function register(path = '/oauth/register', returnsTo = HERE, method?: string): Promise<Response> {
  const metadata = { client_name: 'An agent', redirect_uris: [returnsTo], token_endpoint_auth_method: method };
  const body = JSON.stringify(metadata);
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
  return serveOauth(new Request(`http://elsewhere.example${path}`, { method: 'POST', headers, body }));
}

test('app registrations are limited per address, and apps never granted access are deleted after a day', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) {
    const answer = await register();
    expect(answer.status).toBe(201);
    ids.push(((await answer.json()) as { client_id: string }).client_id);
  }
  for (const path of ['/oauth/register', '/oauth/REGISTER', '/oauth/register/'])
    await expect(register(path)).rejects.toMatchObject({ code: 'rate_limited' });

  const { id } = await createAccount({ email: 'ana@example.com' });
  await createApiKey(id, { name: 'An agent', app: { clientId: ids[0]!, returnsTo: 'localhost' } });
  const age = (hours: number) =>
    pool().query(`update oauth_records set created_at = now() - $1 * interval '1 hour'`, [hours]);
  await age(23);
  expect(await forgetOauthRecords()).toBe(0);
  await age(25);
  expect(await forgetOauthRecords()).toBe(2);
  const { rows } = await pool().query<{ id: string }>(`select payload->>'client_id' as id from oauth_records`);
  expect(rows).toEqual([{ id: ids[0] }]);
  await pool().query('update api_keys set revoked_at = now()');
  // an app whose access was revoked stays registered, so that it can be granted access again
  expect(await forgetOauthRecords()).toBe(0);
});

test('an app that asks for a client secret is registered without one', async () => {
  await pool().query('delete from rate_limits');
  for (const method of ['client_secret_basic', 'client_secret_post']) {
    const answer = await register(undefined, HERE, method);
    expect(answer.status).toBe(201);
    const client = await answer.json();
    expect(client).toMatchObject({ token_endpoint_auth_method: 'none' });
    expect(client).not.toHaveProperty('client_secret');
  }
});

test('authorization requests are limited per network address', async () => {
  const ask = () => serveOauth(new Request('http://elsewhere.example/oauth/authorize?client_id=x'));
  await pool().query('delete from rate_limits');
  for (let n = 0; n < 3; n++) expect((await ask()).status).toBeLessThan(500);
  await expect(ask()).rejects.toMatchObject({ code: 'rate_limited' });
});

test('an error is not sent to another site before a user was asked, since anyone can register a site', async () => {
  const ask = async (redirect_uri: string, changes: Record<string, string> = {}) => {
    await pool().query('delete from rate_limits');
    const app = await register('/oauth/register', redirect_uri);
    const { client_id } = (await app.json()) as { client_id: string };
    const query = new URLSearchParams({ client_id, redirect_uri, response_type: 'code', ...changes });
    const answer = await serveOauth(new Request(`http://elsewhere.example/oauth/authorize?${query}`));
    return answer.headers.get('location');
  };
  const elsewhere = 'https://app.example/callback';
  expect(await ask(elsewhere)).toBe('/oauth/consent/refused?reason=invalid_request');
  expect(await ask(elsewhere, { response_mode: 'form_post' })).toMatch(/refused\?reason=invalid_request$/);
  expect(await ask(elsewhere, { response_type: 'token' })).toMatch(/refused\?reason=unsupported_response_type$/);
  expect(await ask(HERE)).toMatch(`${HERE}?error=invalid_request`);
});

test('the metadata lists only supported endpoints, and token requests of pages of other origins are refused', async () => {
  const ask = (path: string, init: RequestInit = {}) =>
    serveOauth(new Request(`http://elsewhere.example${path}`, init));
  const metadata = (await (await ask('/.well-known/oauth-authorization-server')).json()) as object;
  const offered = Object.keys(metadata).flatMap(name => /^(.+)_endpoint$|dpop/.exec(name)?.slice(1) ?? []);
  expect(offered.toSorted()).toEqual(['authorization', 'registration', 'revocation', 'token']);
  await pool().query('delete from rate_limits');
  const { client_id } = (await (await register()).json()) as { client_id: string };
  const body = `grant_type=refresh_token&refresh_token=x&client_id=${client_id}`;
  const headers = {
    origin: 'https://elsewhere.example',
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(body.length),
  };
  const answer = await ask('/oauth/token', { method: 'POST', headers, body });
  expect(answer.headers.has('access-control-allow-origin')).toBe(false);
  expect(await answer.json()).toMatchObject({ error_description: expect.stringContaining('not allowed') });
});

test('only one of several concurrent uses of an authorization code succeeds, and an expired code is not found', async () => {
  const codes = new Records('AuthorizationCode');
  const code = { kind: 'AuthorizationCode' };
  await codes.upsert('of ana', code, 60);
  const used = await Promise.allSettled(Array.from({ length: 4 }, () => codes.consume('of ana')));
  expect(used.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await codes.find('of ana')).toMatchObject(code);
  await pool().query(`update oauth_records set expires_at = now() - interval '1 second' where hash = $1`, [
    hashSecret('of ana'),
  ]);
  expect(await codes.find('of ana')).toBeUndefined();
});

test('an access token is accepted only with its kind, resource and expiry, and has at most the scopes of its key', async () => {
  const { id: accountId } = await createAccount({ email: 'eve@example.com' });
  const { id: keyId } = await createApiKey(accountId, { name: 'An agent', scopes: ['read', 'generate'] });
  await db()
    .insert(oauthRecords)
    .values({
      model: 'AccessToken',
      hash: hashSecret('token'),
      keyId,
      payload: { aud: resourceOf(), scope: 'read cast' },
      expiresAt: new Date(Date.now() + 3_600_000),
    });
  expect(await verifyAccessToken('token', 'here')).toMatchObject({ accountId, keyId, scopes: ['read'] });
  await writeKeyUses();
  expect(await listApiKeys(accountId)).toMatchObject([{ lastAddress: 'here' }]);
  const change = (set: string) => pool().query(`update oauth_records set ${set} where key_id = $1`, [keyId]);
  await change(`model = 'RefreshToken'`);
  expect(await verifyAccessToken('token', 'here')).toBeNull();
  await change(`model = 'AccessToken'`);
  await change(`payload = payload || '{"aud": "https://elsewhere.example/mcp"}'`);
  expect(await verifyAccessToken('token', 'here')).toBeNull();
  // only registered apps are forgotten by age; tokens stay until they expire
  await change(`payload = payload || '{"aud": "${resourceOf()}"}', created_at = now() - interval '2 days'`);
  await forgetOauthRecords();
  expect(await verifyAccessToken('token', 'here')).not.toBeNull();
  await change(`expires_at = now() - interval '1 second'`);
  expect(await verifyAccessToken('token', 'here')).toBeNull();
  await forgetOauthRecords();
  expect(await db().$count(oauthRecords, eq(oauthRecords.keyId, keyId))).toBe(0);
});
