import { beforeEach, expect, test } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { createApiKey } from '#lib/accounts/api-keys';
import { verifyApiKey, type Caller } from '#lib/accounts/callers';
import { readKeySpending } from '#lib/accounts/key-spending';
import { usage } from '#lib/contract/gem-schemas';
import { pool } from '#lib/db/client';
import { requests } from '#lib/db/schema';
import { useOwnDatabase } from '#lib/db/test-database';
import { submitGeneration } from '#lib/generations/submit';
import { readUsage } from '#lib/generations/usage';
import { lowestIdAt, newId } from '#lib/ids';
import { finish } from '#lib/life/finish';
import { eq } from 'drizzle-orm';

await useOwnDatabase();
process.env.LOG_LEVEL = 'silent';

let caller: Caller;
let keyId: string;
beforeEach(async () => {
  const { id } = await createAccount({ email: `${newId()}@example.com`, gems: 10_000 });
  const made = await createApiKey(id, { name: 'x', monthlyBudget: 10_000 });
  keyId = made.id;
  caller = (await verifyApiKey(made.key))!;
});

const submit = async (who: Caller = caller) =>
  (await submitGeneration({ caller: who, architectureId: 'z_image', body: async () => ({ prompt: 'rain' }) }))
    .generation;

const fail = (id: string) => finish(eq(requests.id, id), { status: 'failed', message: 'no', cause: 'no' });

interface Row {
  accountId: string;
  key: string | null;
  architecture: string;
  status: 'completed' | 'queued';
}

/** Inserts a request of that time, by default a completed one of the key, and returns its id. */
async function insert(at: Date, gems: number, of: Partial<Row> = {}): Promise<string> {
  const { accountId, key, architecture, status }: Row = {
    accountId: caller.accountId,
    key: keyId,
    architecture: 'mango',
    status: 'completed',
    ...of,
  };
  const id = lowestIdAt(at).slice(0, 24) + newId().slice(24);
  await pool().query(
    `insert into requests (id, account_id, api_key_id, status, architecture, model_id, type, engine, prompt, body, config, seed, output, gems, created_at)
    values ($1, $2, $3, $4, $5, 'm', 'image', 'none', 'x', '{}', '{}', 1, '{}', $6, $7)`,
    [id, accountId, key, status, architecture, gems, at],
  );
  return id;
}

test('usage is counted by day and architecture, without refunded gems', async () => {
  const { gems, id } = await submit();
  await Promise.all(Array.from({ length: 9 }, () => submit()));
  await fail(id);
  await insert(new Date('2024-06-01T23:59:59.999Z'), 5);
  const read = usage.parse(await readUsage(caller.accountId, 30));
  expect(read.totals).toEqual({ requests: 10, failed: 1, gems: gems * 9 });
  // there are two rows when a day ends during the test
  for (const row of read.rows) expect(row).toMatchObject({ architecture: 'z_image', type: 'image' });
  const then = await readUsage(caller.accountId, 30, { now: new Date('2024-06-30T23:00:00Z') });
  expect(then).toMatchObject({ from: '2024-06-01', to: '2024-06-30' });
  expect(then.rows[0]).toEqual({
    date: '2024-06-01',
    architecture: 'mango',
    type: 'image',
    requests: 1,
    failed: 0,
    gems: 5,
  });
});

test('the usage of an API key does not include requests from the browser', async () => {
  const { gems } = await submit();
  const { id } = await submit({ ...caller, keyId: null });
  await submit({ ...caller, keyId: null });
  await fail(id);
  expect((await readUsage(caller.accountId, 30)).totals).toEqual({ requests: 3, failed: 1, gems: gems * 2 });
  expect((await readUsage(caller.accountId, 30, { keyId })).totals).toEqual({ requests: 1, failed: 0, gems });
});

test('a refund counts for the day, architecture and account of its request', async () => {
  const other = await createAccount({ email: `${newId()}@example.com` });
  const [before, day] = [new Date('2024-05-31T23:00:00Z'), new Date('2024-06-01T01:00:00Z')];
  const live = (at: Date, of: Partial<Row> = {}) => insert(at, 5, { key: null, status: 'queued', ...of });
  for (const of of [{ accountId: other.id }, { architecture: 'melon' }, {}]) await live(day, of);
  for (const at of [before, day]) await fail(await live(at));
  const read = async (id: string) => (await readUsage(id, 2, { now: day })).rows.map(row => Object.values(row));
  expect(await read(caller.accountId)).toEqual([
    ['2024-05-31', 'mango', 'image', 1, 1, 0],
    ['2024-06-01', 'mango', 'image', 2, 1, 5],
    ['2024-06-01', 'melon', 'image', 1, 0, 5],
  ]);
  expect(await read(other.id)).toEqual([['2024-06-01', 'mango', 'image', 1, 0, 5]]);
});

// a month may end during the test
const AGAIN = { retry: 1 };

const startOfMonth = () => Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth(), 1);

/** Spends gems of the account in this month with another key, and without a key. */
async function spendOtherwise() {
  const { id } = await createApiKey(caller.accountId, { name: 'another' });
  for (const keyId of [id, null]) await submit({ ...caller, keyId });
}

test('the spending of a key covers its own requests of the current month', AGAIN, async () => {
  const { gems } = await submit();
  await fail((await submit()).id);
  await spendOtherwise();
  await insert(new Date(startOfMonth()), 5);
  await insert(new Date(startOfMonth() - 1), 50);
  expect((await readKeySpending([keyId])).get(keyId)).toBe(gems + 5);
});

test('usage and key spending from before usage was counted are read from the requests', AGAIN, async () => {
  await submit();
  await fail((await submit()).id);
  await spendOtherwise();
  const last = new Date(startOfMonth() - 1);
  await pool().query(
    `insert into ledger (account_id, kind, gems, balance_after, request_id, api_key_id, created_at) values ($1, 'charge', -50, 0, $2, $3, $4)`,
    [caller.accountId, await insert(last, 50), keyId, last],
  );
  const [counted, spent] = [await readUsage(caller.accountId, 90), await readKeySpending([keyId])];
  const since = (day: string) =>
    pool().query(
      `create or replace function counted_since() returns date language sql immutable return '${day}'::date`,
    );
  const today = new Date().toISOString().slice(0, 10);
  try {
    for (const day of [today, 'tomorrow']) {
      await since(day);
      await pool().query('delete from usage where day < counted_since()');
      expect(await readUsage(caller.accountId, 90)).toEqual(counted);
      expect(await readKeySpending([keyId])).toEqual(spent);
    }
  } finally {
    await since('-infinity');
  }
});
