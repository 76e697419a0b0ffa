import { afterEach, expect, test, vi } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { makeApiKey } from '#lib/accounts/api-key-format';
import { apiKeyToWire } from '#lib/accounts/api-key-to-wire';
import { createApiKey, findLiveApiKeys, listApiKeys, revokeApiKey, rollApiKey } from '#lib/accounts/api-keys';
import { verifyApiKey, verifyApiKeyAnd } from '#lib/accounts/callers';
import { writeKeyUses } from '#lib/accounts/key-use';
import { accountWith } from '#lib/accounts/test-callers';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { newId } from '#lib/ids';
import { begin, commitWhenWaitedFor, submit } from '#lib/life/test-requests';

await useOwnDatabase();

const open = async () => (await createAccount({ email: `${newId()}@example.com`, gems: 0 })).id;

/** Returns the caller of a key, after checking that it is the same whatever is read beside the key. */
async function verify(key: string) {
  const alone = await verifyApiKey(key);
  for (const beside of [{ requestId: newId() }, { idempotencyKey: 'x' }])
    expect((await verifyApiKeyAnd(beside, key, ''))?.caller ?? null).toEqual(alone);
  return alone;
}

afterEach(() => void vi.restoreAllMocks());

test('a key identifies its account, with the permissions and limits of the account', async () => {
  const accountId = await open();
  const { id, key } = await createApiKey(accountId, { name: ' laptop ', monthlyBudget: 50 });
  expect(await verify(key)).toEqual({
    accountId,
    keyId: id,
    scopes: null,
    mayGenerate: true,
    mayCreateCast: true,
    inFlightLimit: 20,
    balance: 0,
    keyInFlightLimit: null,
    monthlyBudget: 50,
    autoTopUp: false,
  });
  await pool().query('update accounts set may_generate = false, in_flight_limit = 3 where id = $1', [accountId]);
  expect(await verify(key)).toMatchObject({ mayGenerate: false, inFlightLimit: 3 });
});

test('the key itself is neither stored in the database nor listed', async () => {
  const accountId = await open();
  const { key, ...shown } = await createApiKey(accountId, { name: 'laptop' });
  expect(shown).toMatchObject({
    name: 'laptop',
    lastFour: key.slice(-4),
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
  });
  expect(await listApiKeys(accountId)).toEqual([shown]);
  const { rows } = await pool().query('select row_to_json(k)::text as row from api_keys k where id = $1', [shown.id]);
  expect(rows[0].row).not.toContain(key.slice(10, 40));
});

test('revoking a key takes effect from the next look-up on and is permanent', async () => {
  const accountId = await open();
  const { id, key } = await createApiKey(accountId, { name: 'laptop' });
  const { key: other } = await createApiKey(accountId, { name: 'server' });
  expect(await verify(key)).not.toBeNull();
  const { revokedAt } = await revokeApiKey(accountId, id);
  expect(await verify(key)).toBeNull();
  expect(await verify(other)).not.toBeNull();
  expect(await revokeApiKey(accountId, id)).toMatchObject({ revokedAt });
  expect(await findLiveApiKeys({ id })).toEqual([]);
});

test('a look-up that starts after a revocation never shares an earlier query', async () => {
  const accountId = await open();
  const { id, key } = await createApiKey(accountId, { name: 'laptop' });
  const query = vi.spyOn(pool(), 'query');
  const early = verifyApiKey(key);
  await vi.waitFor(() => expect(query).toHaveBeenCalledOnce(), { interval: 0, timeout: 30_000 });
  const late = revokeApiKey(accountId, id).then(() => verifyApiKey(key));
  expect(await Promise.all([early.then(Boolean), late])).toEqual([expect.any(Boolean), null]);
});

test('an expired key and a key of a disabled account are refused', async () => {
  const accountId = await open();
  const { id, key } = await createApiKey(accountId, { name: 'short', expiresAt: new Date(Date.now() + 60_000) });
  expect(await verify(key)).not.toBeNull();
  await pool().query("update api_keys set expires_at = now() - interval '1 ms' where id = $1", [id]);
  expect(await verify(key)).toBeNull();
  const { key: lasting } = await createApiKey(accountId, { name: 'lasting' });
  await pool().query('update accounts set disabled_at = now() where id = $1', [accountId]);
  expect(await verify(lasting)).toBeNull();
});

test('a key has the scopes and the in-flight limit that it was created with', async () => {
  const { key } = await createApiKey(await open(), { name: 'small', scopes: ['generate', 'read'], inFlightLimit: 3 });
  expect(await verify(key)).toMatchObject({
    scopes: ['generate', 'read'],
    keyInFlightLimit: 3,
    inFlightLimit: 20,
  });
});

test('rolling a key replaces its secret; the previous secret works until the overlap ends', async () => {
  const accountId = await open();
  const { id, key } = await createApiKey(accountId, { name: 'server', monthlyBudget: 5 });
  const rolled = await rollApiKey(accountId, id, 24);
  expect(rolled).toMatchObject({ id, name: 'server', lastFour: rolled.key.slice(-4), previousLastFour: key.slice(-4) });
  expect(rolled).not.toHaveProperty('hash');
  expect(Math.abs(rolled.previousUntil!.getTime() - Date.now() - 24 * 3_600_000)).toBeLessThan(60_000);
  const caller = await verify(rolled.key);
  expect(caller).toMatchObject({ keyId: id, monthlyBudget: 5 });
  expect(await verify(key)).toEqual(caller);
  await pool().query('update api_keys set previous_until = now() where id = $1', [id]);
  expect(await verify(key)).toBeNull();
  expect(await verify(rolled.key)).toEqual(caller);
});

test('the previous secret is listed until the overlap or the key ends, and not after the key is revoked', async () => {
  const accountId = await open();
  const expiresAt = new Date(Date.now() + 60_000);
  const { id, key } = await createApiKey(accountId, { name: 'server', expiresAt });
  const { previous } = apiKeyToWire(await rollApiKey(accountId, id, 24));
  expect(previous).toMatchObject({ last_four: key.slice(-4), until: expiresAt.toISOString() });
  expect(apiKeyToWire(await revokeApiKey(accountId, id)).previous).toBeNull();
});

test('rolling keeps one previous secret, or none without overlap; an expired or revoked key cannot be rolled', async () => {
  const accountId = await open();
  const { id, key } = await createApiKey(accountId, { name: 'server' });
  const second = await rollApiKey(accountId, id, 24);
  const third = await rollApiKey(accountId, id, 24);
  expect(await Promise.all([key, second.key, third.key].map(key => verify(key).then(Boolean)))).toEqual([
    false,
    true,
    true,
  ]);
  await rollApiKey(accountId, id, 0);
  expect(await verify(third.key)).toBeNull();
  await pool().query('update api_keys set expires_at = now() where id = $1', [id]);
  await expect(rollApiKey(accountId, id, 24)).rejects.toMatchObject({ code: 'not_found' });
  await pool().query('update api_keys set expires_at = null where id = $1', [id]);
  await revokeApiKey(accountId, id);
  await expect(rollApiKey(accountId, id, 24)).rejects.toMatchObject({ code: 'not_found' });
  await expect(rollApiKey(await open(), id, 24)).rejects.toMatchObject({ code: 'not_found' });
});

test('the last use is recorded with its address, and that of the previous secret separately', async () => {
  const accountId = await open();
  const { id, key } = await createApiKey(accountId, { name: 'server' });
  const rolled = await rollApiKey(accountId, id, 24);
  await verifyApiKey(rolled.key, '203.0.113.7');
  await writeKeyUses();
  expect(await listApiKeys(accountId)).toMatchObject([{ lastAddress: '203.0.113.7', previousUsedAt: null }]);
  await verifyApiKey(key, '2001:db8::1');
  await writeKeyUses();
  const [used] = await listApiKeys(accountId);
  expect(used).toMatchObject({ lastAddress: '2001:db8::1', previousUsedAt: used?.lastUsedAt });
  await pool().query(`update api_keys set last_used_at = last_used_at - interval '1 minute' where id = $1`, [id]);
  await verifyApiKeyAnd({ requestId: newId() }, rolled.key, '203.0.113.7');
  await writeKeyUses();
  const { previousUsedAt } = used!;
  expect(await listApiKeys(accountId)).toMatchObject([{ lastAddress: '203.0.113.7', previousUsedAt }]);
  // the secret that has just become the previous one has not been used since
  await rollApiKey(accountId, id, 24);
  expect(await listApiKeys(accountId)).toMatchObject([{ previousUsedAt: null }]);
});

test('uses of the previous and the current secret at the same time are both recorded', async () => {
  const accountId = await open();
  const { id, key } = await createApiKey(accountId, { name: 'server' });
  const rolled = await rollApiKey(accountId, id, 24);
  await verifyApiKey(key, '2001:db8::1');
  await verifyApiKey(rolled.key, '203.0.113.7');
  await writeKeyUses();
  const [used] = await listApiKeys(accountId);
  expect(used).toMatchObject({
    lastAddress: '203.0.113.7',
    lastUsedAt: expect.any(Date),
    previousUsedAt: used?.lastUsedAt,
  });
});

test('a key use that could not be written is written at the next attempt', async () => {
  const accountId = await open();
  const { key } = await createApiKey(accountId, { name: 'server' });
  await verifyApiKey(key, '203.0.113.7');
  vi.spyOn(pool(), 'query').mockImplementationOnce(() => Promise.reject(new Error('gone')));
  await writeKeyUses();
  expect(await listApiKeys(accountId)).toMatchObject([{ lastAddress: null }]);
  await writeKeyUses();
  expect(await listApiKeys(accountId)).toMatchObject([{ lastAddress: '203.0.113.7' }]);
});

test('a key use that arrives while others are being written is written after them', async () => {
  const accountId = await open();
  const { id, key } = await createApiKey(accountId, { name: 'server' });
  const rolled = await rollApiKey(accountId, id, 24);
  await verifyApiKey(rolled.key, '203.0.113.7');
  const ask = pool().query.bind(pool()) as (...args: unknown[]) => Promise<unknown>;
  vi.spyOn(pool(), 'query').mockImplementationOnce(async (...args: unknown[]) => {
    await verifyApiKey(key, '2001:db8::1');
    return ask(...args);
  });
  await writeKeyUses();
  expect(await listApiKeys(accountId)).toMatchObject([{ lastAddress: '203.0.113.7', previousUsedAt: null }]);
  await writeKeyUses();
  expect(await listApiKeys(accountId)).toMatchObject([
    { lastAddress: '2001:db8::1', previousUsedAt: expect.any(Date) },
  ]);
});

test('processes that write uses of the same keys at the same time do not deadlock', async () => {
  const accountId = await open();
  const [one, other] = [await createApiKey(accountId, { name: 'a' }), await createApiKey(accountId, { name: 'b' })];
  const [first, last] = [one, other].toSorted((a, b) => (a.id < b.id ? -1 : 1)) as [typeof one, typeof one];
  await verifyApiKey(last.key, '203.0.113.7');
  await verifyApiKey(first.key, '203.0.113.7');
  // an update moves this row behind the other one in the table
  await pool().query('update api_keys set name = name where id = $1', [first.id]);
  const process = await begin();
  const take = (id: string) => process.query('select from api_keys where id = $1 for update', [id]);
  await take(first.id);
  const written = writeKeyUses();
  const waiting = `select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;
  await expect.poll(async () => (await pool().query(waiting)).rowCount).toBe(1);
  await take(last.id);
  await process.query('commit');
  await process.end();
  await written;
  const address = '203.0.113.7';
  expect(await listApiKeys(accountId)).toMatchObject([{ lastAddress: address }, { lastAddress: address }]);
});

test('revoking a key waits for submissions of its account that are in progress', async () => {
  const accountId = await open();
  const { id } = await createApiKey(accountId, { name: 'laptop' });
  const submit = await begin();
  await submit.query('select from accounts where id = $1 for no key update', [accountId]);
  const revoked = revokeApiKey(accountId, id);
  await commitWhenWaitedFor(submit);
  expect(await revoked).toMatchObject({ revokedAt: expect.any(Date) });
});

test('a request is read beside a key of its account only', async () => {
  const owner = await accountWith(1_000);
  const requestId = await submit(owner);
  const { key } = await createApiKey(owner.accountId, { name: 'laptop' });
  expect((await verifyApiKeyAnd({ requestId }, key, ''))?.shown).toMatchObject({ id: requestId });
  const { key: strange } = await createApiKey(await open(), { name: 'laptop' });
  expect(await verifyApiKeyAnd({ requestId }, strange, '')).toMatchObject({ shown: null });
});

test('a key of another account cannot be revoked or rolled, nor an invalid id revoked', async () => {
  const { id, key } = await createApiKey(await open(), { name: 'laptop' });
  await expect(revokeApiKey(await open(), id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(revokeApiKey(await open(), 'x')).rejects.toMatchObject({ code: 'not_found' });
  await expect(rollApiKey(await open(), id, 24)).rejects.toMatchObject({ code: 'not_found' });
  expect(await verifyApiKey(key)).not.toBeNull();
});

test('the key of an app cannot be rolled, as its secret is given to nobody', async () => {
  const accountId = await open();
  const { id } = await createApiKey(accountId, { name: 'An app', app: { clientId: 'x', returnsTo: 'localhost' } });
  await expect(rollApiKey(accountId, id, 0)).rejects.toMatchObject({ code: 'not_found' });
});

test('a malformed key is refused without a query, an unknown key after one', async () => {
  const key = makeApiKey();
  const query = vi.spyOn(pool(), 'query');
  for (const junk of ['', 'x', key.slice(1), `${key}x`, key.toLowerCase(), `${key.slice(0, -1)}!`]) {
    expect(await verifyApiKey(junk)).toBeNull();
  }
  expect(query).not.toHaveBeenCalled();
  expect(await verifyApiKey(key)).toBeNull();
  expect(query).toHaveBeenCalledOnce();
});

test('look-ups at the same time share a query, and each gets its own result', async () => {
  const accountId = await open();
  const keys = await Promise.all(['a', 'b', 'c'].map(name => createApiKey(accountId, { name })));
  const query = vi.spyOn(pool(), 'query');
  const asked = [...keys.map(made => made.key), makeApiKey(), ...keys.map(made => made.key)];
  const callers = await Promise.all(asked.map(key => verifyApiKey(key)));
  expect(callers.map(caller => caller?.keyId)).toEqual([...keys.map(k => k.id), undefined, ...keys.map(k => k.id)]);
  expect(query).toHaveBeenCalledOnce();
});

test('live keys and the 100 most recently revoked or expired keys are listed', async () => {
  const accountId = await open();
  const early = await createApiKey(accountId, { name: 'early' });
  const alive = await createApiKey(accountId, { name: 'alive' });
  await pool().query(`update api_keys set revoked_at = now() - interval '1 day' where id = $1`, [early.id]);
  // another account has as many ended keys, which must not count
  for (const owner of [accountId, await open()])
    await pool().query(
      `insert into api_keys (id, account_id, name, hash, last_four, revoked_at, expires_at)
        select gen_random_uuid(), $1, 'late', sha256(concat($1::uuid, n)::bytea), '0000', case when n % 2 = 0 then now() end,
          now() + (n % 2 - 1) * interval '-1 year' from generate_series(1, 100) n`,
      [owner],
    );
  const listed = await listApiKeys(accountId);
  expect(listed.filter(({ name }) => name === 'late')).toHaveLength(100);
  expect(listed.filter(({ name }) => name !== 'late')).toMatchObject([{ id: alive.id }]);
});

test('a database failure is an error, not a refusal of the key', async () => {
  const { key } = await createApiKey(await open(), { name: 'laptop' });
  vi.spyOn(pool(), 'query').mockImplementationOnce(() => Promise.reject(new Error('gone')));
  await expect(verifyApiKey(key)).rejects.toThrow('gone');
  expect(await verifyApiKey(key)).not.toBeNull();
});

test('the last use is written with minute precision, at most once a minute', async () => {
  const accountId = await open();
  const { key } = await createApiKey(accountId, { name: 'laptop' });
  await writeKeyUses();
  await Promise.all(Array.from({ length: 10 }, () => verifyApiKey(key)));
  const query = vi.spyOn(pool(), 'query');
  await writeKeyUses();
  expect(query).toHaveBeenCalledOnce();
  const [used] = await listApiKeys(accountId);
  expect(Date.now() - Number(used?.lastUsedAt)).toBeLessThan(120_000);
  expect(Number(used?.lastUsedAt) % 60_000).toBe(0);

  query.mockClear();
  await pool().query('update api_keys set last_used_at = now()');
  await verifyApiKey(key);
  query.mockClear();
  await writeKeyUses();
  expect(query).not.toHaveBeenCalled();
});

test.each([
  ['name', { name: ' ' }],
  ['name', { name: 'x'.repeat(101) }],
  ['expiresAt', { name: 'x', expiresAt: new Date(0) }],
  ['scopes', { name: 'x', scopes: [] }],
  ['inFlightLimit', { name: 'x', inFlightLimit: 0 }],
  ['monthlyBudget', { name: 'x', monthlyBudget: 1.5 }],
  ['monthlyBudget', { name: 'x', monthlyBudget: Number.POSITIVE_INFINITY }],
])('an invalid %s is refused with its path (%#)', async (member, input) => {
  await expect(createApiKey(newId(), input)).rejects.toMatchObject({
    code: 'invalid_request',
    extra: { issues: [{ path: `/${member}` }] },
  });
});
