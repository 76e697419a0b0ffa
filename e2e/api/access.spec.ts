import { randomUUID } from 'node:crypto';
import { operations } from '#lib/contract/operations';
import type { Operation } from '#lib/contract/operation';
import { SCOPES, type Scope } from '#lib/scopes';
import { openContext } from '../api-context.ts';
import { QUICK, refusal } from '../customer.ts';
import { expect, test } from '../fixtures.ts';
import { mainDatabase, pomona } from '../house.ts';

// authorization: which caller may perform which operation

const OPERATIONS = [
  { method: 'GET', path: '' },
  { method: 'DELETE', path: '' },
  { method: 'GET', path: '/status' },
  { method: 'GET', path: '/status?wait=30' },
  { method: 'POST', path: '/cancel' },
];

for (const { method, path } of OPERATIONS) {
  test(`404: ${method} /v1/requests/{id}${path} of another account`, async ({ idle }) => {
    const owner = await idle.open();
    const stranger = await idle.open();
    const live = await owner.submit();
    const done = await owner.submit();
    await owner.cancel(done.request_id);
    for (const { request_id } of [live, done]) {
      const response = await stranger.api.fetch(`/v1/requests/${request_id}${path}`, { method });
      const error = await refusal(response, 404, 'request_not_found');
      const unknown = await stranger.api.fetch(`/v1/requests/${randomUUID()}${path}`, { method });
      expect(await refusal(unknown, 404, 'request_not_found')).toEqual(error);
    }
    expect(await owner.status(live.request_id)).toMatchObject({ status: 'queued' });
    expect((await stranger.list(`?ids=${live.request_id}`)).data).toEqual([]);
  });
}

test('all keys of an account see its requests and share its balance', async ({ house, customer }) => {
  const sibling = await house.addKey(customer);
  const { request_id } = await customer.submit();
  expect((await sibling.status(request_id)).request_id).toBe(request_id);
  expect(await sibling.balance()).toBe(10_000 - QUICK.gems);
});

test('the CLI creates a key that works immediately, and revokes it from the next request on', async ({ baseURL }) => {
  const env = { DATA_DIR: String(process.env.E2E_DATA_DIR), DATABASE_URL: mainDatabase() };
  const email = `${randomUUID()}@example.com`;
  await pomona(['account', 'create', '--email', email, '--gems', '25'], env);
  const key = await pomona(['key', 'create', '--email', email, '--name', 'server'], env);
  expect(key).toMatch(/^pomona_sk_[0-9A-Za-z]{49}$/);
  const api = await openContext({
    baseURL: baseURL!,
    extraHTTPHeaders: { authorization: `Bearer ${key}` },
  });
  expect(await (await api.get('/v1/account')).json()).toEqual({ gems: { balance: 25 } });
  await pomona(['gems', 'grant', '--email', email, '--gems', '5', '--reason', 'welcome'], env);
  expect(await (await api.get('/v1/account')).json()).toEqual({ gems: { balance: 30 } });
  await pomona(['key', 'revoke', '--key-last4', key.slice(-4)], env);
  await refusal(await api.get('/v1/account'), 401, 'unauthorized');
});

test('a revoked key is refused everywhere, another key of the account is not', async ({ house, customer }) => {
  const sibling = await house.addKey(customer);
  const { request_id } = await customer.submit();
  await house.pool.query('update api_keys set revoked_at = now() where id = $1', [customer.keyId]);
  await refusal(await customer.api.get(`/v1/requests/${request_id}/status`), 401, 'unauthorized');
  await refusal(await customer.post(), 401, 'unauthorized');
  await refusal(await customer.cancel(request_id), 401, 'unauthorized');
  for (const path of ['/v1/uploads', '/v1/characters', '/v1/references']) {
    await refusal(await customer.api.get(path), 401, 'unauthorized');
    await refusal(await customer.api.post(path, { data: {} }), 401, 'unauthorized');
  }
  expect((await sibling.status(request_id)).request_id).toBe(request_id);
});

test('a key works until it expires', async ({ house }) => {
  const customer = await house.open({ expiresAt: new Date(Date.now() + 3_600_000) });
  await customer.balance();
  await house.pool.query('update api_keys set expires_at = now() where id = $1', [customer.keyId]);
  await refusal(await customer.api.get('/v1/account'), 401, 'unauthorized');
});

test('a disabled account is refused', async ({ house, customer }) => {
  await house.pool.query('update accounts set disabled_at = now() where id = $1', [customer.accountId]);
  await refusal(await customer.api.get('/v1/account'), 401, 'unauthorized');
});

test('a key with a monthly budget spends no more than that in a month; other keys are not limited', async ({
  idle,
}) => {
  const customer = await idle.open({ monthlyBudget: 2 * QUICK.gems });
  await customer.submit();
  await customer.submit();
  const error = await refusal(await customer.post(), 402, 'insufficient_gems');
  expect(error).toMatchObject({ gems_required: QUICK.gems, message: expect.stringContaining('monthly budget') });
  // spending of last month does not count
  await idle.pool.query(
    `begin; set local session_replication_role = replica;
    update ledger set created_at = created_at - interval '32 days' where api_key_id = '${customer.keyId}';
    update usage set day = day - 32 where api_key_id = '${customer.keyId}'; commit`,
  );
  await customer.submit();
  expect(await customer.balance()).toBe(10_000 - 3 * QUICK.gems);
  // another key of the account has no budget
  await (await idle.addKey(customer)).submit();
});

const ANY_ID = '0190b5a0-0000-7000-8000-000000000000';

/** Operations that each scope allows, as in docs/contract.md. */
const OPENED: Record<Scope, string> = {
  generate: `generate, estimate, cancelRequest, deleteRequest, setFavourite, unsetFavourite, keepResult, releaseResult, addTag, removeTag,
    startRun, estimateRun, cancelRun, retryRun`,
  read: `listArchitectures, listRequests, getRequest, getRequestStatus, listRecipes, getRecipe, listRuns, getRun, listUploads,
    listCharacters, getCharacter, listReferences, getReference`,
  cast: 'createCharacter, changeCharacter, deleteCharacter, createReference, changeReference, deleteReference',
  uploads: 'createUpload, deleteUpload',
  account: `getAccount, listLedger, listWebhooks, createWebhook, getWebhook, changeWebhook, deleteWebhook, rotateWebhookSecret,
    testWebhook, listDeliveries, getDelivery, resendDelivery`,
};

test('each operation requires the scope that the contract documents', () => {
  for (const scope of SCOPES) {
    const opened = Object.entries<Operation>(operations).flatMap(([id, one]) => (one.scope === scope ? [id] : []));
    expect(opened.toSorted(), scope).toEqual(OPENED[scope].split(/,\s+/).toSorted());
  }
  expect(Object.values<Operation>(operations).filter(({ scope }) => scope === undefined)).toEqual([]);
});

test('a key can call only operations of its scopes, and a refusal names the missing scope', async ({ idle }) => {
  const owner = await idle.open();
  const everything: Operation[] = Object.values(operations);
  for (const scope of SCOPES) {
    const without = await idle.addKey(owner, { scopes: SCOPES.filter(other => other !== scope) });
    const only = await idle.addKey(owner, { scopes: [scope] });
    for (const { method, path, scope: needed } of everything) {
      const address = path.replace('{architecture}', 'nothing').replaceAll(/\{\w+\}/g, ANY_ID);
      const refused = needed === scope ? without : only;
      const error = await refusal(await refused.api.fetch(address, { method }), 403, 'forbidden');
      expect(error.message, `${method} ${path}`).toContain(`the scope ${needed}`);
      const allowed = needed === scope ? only : without;
      expect((await allowed.api.fetch(address, { method })).status(), `${method} ${path}`).not.toBe(403);
    }
  }
});

test('reading the frame of a request in progress requires the scope read', async ({ idle }) => {
  const customer = await idle.open({ scopes: ['generate'] });
  const { request_id } = await customer.submit();
  const frame = `/v1/requests/${request_id}/frame`;
  expect((await refusal(await customer.api.get(frame), 403, 'forbidden')).message).toContain('the scope read');
});

test('a key with its own in-flight limit has at most that many requests in flight', async ({ idle }) => {
  const customer = await idle.open({ inFlightLimit: 2 });
  const { request_id } = await customer.submit();
  await customer.submit();
  const error = await refusal(await customer.post(), 429, 'too_many_requests');
  expect(error.message).toContain('The API key has 2 generations in flight');
  const small = await idle.open({ inFlightLimit: 1 });
  await small.submit();
  const { message } = await refusal(await small.post(), 429, 'too_many_requests');
  expect(message).toContain('The API key has 1 generation in flight');
  await (await idle.addKey(customer)).submit();
  await customer.cancel(request_id);
  await customer.submit();
});

test('an account that may not generate can still read and cancel its requests', async ({ idle }) => {
  const customer = await idle.open();
  const { request_id } = await customer.submit();
  await idle.pool.query('update accounts set may_generate = false where id = $1', [customer.accountId]);
  await refusal(await customer.post(), 403, 'forbidden');
  expect((await customer.list()).data).toHaveLength(1);
  expect((await customer.cancel(request_id)).status()).toBe(200);
});

test('the last use of a key is recorded', async ({ house, customer }) => {
  await customer.balance();
  const lastUsed = async () => {
    const { rows } = await house.pool.query('select last_used_at from api_keys where id = $1', [customer.keyId]);
    return rows[0].last_used_at as Date | null;
  };
  await expect.poll(lastUsed).toBeInstanceOf(Date);
});

test('404: every operation on a webhook or a delivery of another account', async ({ idle }) => {
  const [owner, stranger] = [await idle.open(), await idle.open()];
  const add = async ({ api }: typeof owner) => {
    const answer = await api.post('/v1/webhooks', { data: { url: 'https://example.com/hooks' } });
    return ((await answer.json()) as { id: string }).id;
  };
  const [theirs, own] = [await add(owner), await add(stranger)];
  const test = await owner.api.post(`/v1/webhooks/${theirs}/test`);
  const { id: delivery } = (await test.json()) as { id: string };
  const of = (webhook: string) =>
    Object.values<Operation>(operations).flatMap(({ method, path }) =>
      path.includes('{webhook_id}')
        ? [{ method, path: path.replace('{webhook_id}', webhook).replace('{delivery_id}', delivery) }]
        : [],
    );
  // the owner's webhook, and the owner's delivery under the stranger's webhook
  const asked = [...of(theirs), ...of(own).filter(({ path }) => path.includes(delivery))];
  for (const { method, path } of asked)
    await refusal(await stranger.api.fetch(path, { method, data: {} }), 404, 'webhook_not_found');
  expect((await owner.api.get(`/v1/webhooks/${theirs}/deliveries/${delivery}`)).status()).toBe(200);
});

test('409: a test or a resend for a disabled webhook', async ({ idle }) => {
  const { api } = await idle.open();
  const made = await api.post('/v1/webhooks', { data: { url: 'https://example.com/hooks' } });
  const webhook = `/v1/webhooks/${((await made.json()) as { id: string }).id}`;
  const sent = await api.post(`${webhook}/test`);
  expect(sent.ok(), await sent.text()).toBe(true);
  const { id } = (await sent.json()) as { id: string };
  await api.patch(webhook, { data: { enabled: false } });
  for (const path of ['test', `deliveries/${id}/resend`])
    await refusal(await api.post(`${webhook}/${path}`), 409, 'webhook_disabled');
});
