import { QUICK, refusal, type Customer } from '../customer.ts';
import { expect, RETIRED, test } from '../fixtures.ts';

// every idempotency key has one answer

const key = (name: string) => ({ 'idempotency-key': name });

test('a retry gets the original request with 200 and is not charged', async ({ customer }) => {
  const first = await customer.submit({ headers: key('a') });
  const again = await customer.post({ headers: key('a') });
  expect(again.status()).toBe(200);
  expect(again.headers()['idempotency-replayed']).toBe('true');
  expect((await again.json()).request_id).toBe(first.request_id);
  expect(await customer.balance()).toBe(10_000 - QUICK.gems);
});

test('the first response has no Idempotency-Replayed header', async ({ customer }) => {
  const response = await customer.post({ headers: key('a') });
  expect(response.status()).toBe(202);
  expect(response.headers()).not.toHaveProperty('idempotency-replayed');
});

test('a replay returns the current state of the request', async ({ customer }) => {
  const final = await customer.finish(await customer.submit({ headers: key('a') }));
  const again = await customer.post({ headers: key('a') });
  expect(await again.json()).toEqual(final);
});

test('a replay ignores the body, the architecture and Max-Gems of the retry', async ({ customer }) => {
  const { request_id } = await customer.submit({ headers: key('a') });
  for (const later of [
    { body: { prompt: 'something else entirely' } },
    { architecture: 'mango', body: { prompt: 'a mango' } },
    { architecture: 'nothing' },
    { body: { prompt: 5 } },
    { headers: { 'max-gems': '1' } },
  ]) {
    const again = await customer.post({ ...later, headers: { ...later.headers, ...key('a') } });
    expect(again.status()).toBe(200);
    expect((await again.json()).request_id).toBe(request_id);
  }
  const malformed = await customer.api.post('/v1/seed_audio/generate', { data: Buffer.from('{'), headers: key('a') });
  expect((await malformed.json()).request_id).toBe(request_id);
  expect(await customer.balance()).toBe(10_000 - QUICK.gems);
});

test('submissions without an idempotency key create separate requests', async ({ customer }) => {
  const first = await customer.submit();
  expect((await customer.submit()).request_id).not.toBe(first.request_id);
});

test('idempotency keys are scoped to the API key, even within one account', async ({ house, customer }) => {
  const sibling = await house.addKey(customer);
  const stranger = await house.open();
  const ids = new Set<string>();
  for (const who of [customer, sibling, stranger]) ids.add((await who.submit({ headers: key('shared') })).request_id);
  expect(ids.size).toBe(3);
});

test('idempotency keys are compared exactly, including case and inner spaces', async ({ customer }) => {
  const ids = new Set<string>();
  for (const name of ['key', 'KEY', 'k e y', 'key.', "key'--"])
    ids.add((await customer.submit({ headers: key(name) })).request_id);
  expect(ids.size).toBe(5);
});

/** Expects a refusal to be replayed byte for byte under its key, although `heal` has removed its cause. */
async function replayed(customer: Customer, status: number, submit: object, heal: () => Promise<unknown>) {
  const first = await customer.post({ ...submit, headers: key('refused') });
  expect(first.status()).toBe(status);
  const body = await first.body();
  const { error } = JSON.parse(body.toString());
  expect(error).toMatchObject({
    request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    message: expect.stringMatching(/\. The next attempt needs a new Idempotency-Key\.$/),
  });
  // the refusal can be read by its id as a failed request without a charge, and is not listed
  expect(await customer.status(error.request_id)).toMatchObject({
    status: 'failed',
    billing: { gems_charged: 0 },
    error: { code: error.code, message: error.message },
  });
  expect((await customer.list()).data).toEqual([]);
  await heal();
  const again = await customer.post({ headers: key('refused') });
  expect(again.status()).toBe(status);
  expect((await again.body()).equals(body)).toBe(true);
  // the body of the retry is not read
  const malformed = await customer.post({ body: { prompt: 5 }, headers: key('refused') });
  expect(malformed.status()).toBe(status);
  expect((await malformed.body()).equals(body)).toBe(true);
  // a new attempt needs a new key
  await customer.submit({ headers: key('another') });
}

test('a refusal is replayed under its key: 402 insufficient_gems', async ({ house }) => {
  const poor = await house.open({ gems: 0 });
  await replayed(poor, 402, {}, () => grant(house.pool, poor, 100));
  expect(await poor.balance()).toBe(100 - QUICK.gems);
});

test('a recorded refusal can be deleted but not kept, like a failed request', async ({ house }) => {
  const poor = await house.open({ gems: 0 });
  const { request_id } = await refusal(await poor.post(), 402, 'insufficient_gems');
  const path = `/v1/requests/${request_id}`;
  expect((await poor.api.delete(path)).status()).toBe(204);
  await refusal(await poor.api.put(`${path}/keep`), 410, 'media_expired');
  const stranger = await house.open();
  await refusal(await stranger.api.delete(path), 404, 'request_not_found');
});

test('a refusal is replayed under its key: 403 content_blocked', async ({ customer }) => {
  await replayed(customer, 403, { body: { prompt: 'blueprint of a nail bomb' } }, async () => {});
});

test('a refusal is replayed under its key: 410 architecture_retired', async ({ idle }) => {
  await replayed(await idle.open(), 410, { architecture: RETIRED }, async () => {});
});

test('a refusal is replayed under its key: 451 content_blocked', async ({ customer }) => {
  await replayed(customer, 451, { body: { prompt: 'counterfeit money' } }, async () => {});
});

test('a refusal does not use up its key: 400, 404, 409 price_above_limit, 413, 403 forbidden', async ({
  house,
  customer,
}) => {
  const headers = key('retried');
  await refusal(await customer.post({ body: { prompt: 5 }, headers }), 400, 'invalid_config');
  await refusal(await customer.post({ architecture: 'mangos', headers }), 404, 'architecture_not_found');
  await refusal(await customer.post({ headers: { ...headers, 'max-gems': '1' } }), 409, 'price_above_limit');
  const body = { prompt: 'rain', padding: 'x'.repeat(4_500_000) };
  await refusal(await customer.post({ body, headers }), 413, 'request_too_large');
  const allow = (may: boolean) =>
    house.pool.query('update accounts set may_generate = $1 where id = $2', [may, customer.accountId]);
  await allow(false);
  await refusal(await customer.post({ headers }), 403, 'forbidden');
  await allow(true);
  await customer.submit({ headers });
});

test('a refusal does not use up its key: 500', async ({ idle }) => {
  const customer = await idle.open();
  await idle.pool.query('alter table ledger rename to ledger_gone');
  try {
    await refusal(await customer.post({ headers: key('retried') }), 500, 'internal_error');
  } finally {
    await idle.pool.query('alter table ledger_gone rename to ledger');
  }
  await customer.submit({ headers: key('retried') });
});

test('a replay succeeds even when the account is at its in-flight limit and out of gems', async ({ idle }) => {
  const customer = await idle.open({ gems: QUICK.gems });
  const { request_id } = await customer.submit({ headers: key('a') });
  await idle.pool.query('update accounts set in_flight_limit = 1 where id = $1', [customer.accountId]);
  const again = await customer.post({ headers: key('a') });
  expect(again.status()).toBe(200);
  expect((await again.json()).request_id).toBe(request_id);
});

test('concurrent submissions with the same key create one request and one charge', async ({ customer }) => {
  const answers = await Promise.all(Array.from({ length: 16 }, () => customer.post({ headers: key('race') })));
  const ids = new Set(await Promise.all(answers.map(async answer => (await answer.json()).request_id)));
  expect(ids.size).toBe(1);
  expect(answers.map(answer => answer.status()).toSorted()).toEqual([...Array(15).fill(200), 202]);
  expect(await customer.balance()).toBe(10_000 - QUICK.gems);
});

/** Adds gems as an operator's grant does. */
async function grant(
  pool: { query(text: string, values: unknown[]): Promise<unknown> },
  { accountId }: Customer,
  gems: number,
) {
  await pool.query(
    `with paid as (update accounts set balance = balance + $2 where id = $1 returning id, balance)
    insert into ledger (account_id, kind, gems, balance_after, reason) select id, 'grant', $2, balance, 'test' from paid`,
    [accountId, gems],
  );
}
