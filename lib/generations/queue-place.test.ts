import { beforeAll, expect, test } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { queuePlace } from '#lib/generations/queue-place';
import { getGeneration } from '#lib/generations/read';

await useOwnDatabase();

let accountId: string;
beforeAll(async () => {
  accountId = (await createAccount({ email: 'waiter@example.com' })).id;
});

/** Inserts waiting requests in order; groups of three share a `turn_at`, as in a batch of submits. */
async function enqueue(line: string, count: number, fetched = true): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(
    `insert into requests (id, account_id, status, architecture, model_id, type, engine, line, fetched, turn_at, prompt, body, config, seed, output, gems)
    select ('0192f0c0-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $1, 'queued', 'mango', 'mango-v3', 'image', 'none', $2, $4,
      '2026-01-01'::timestamptz + n / 3 * interval '1 second', 'a fig', '{}', '{}', 1, '{}', 1
    from generate_series($5::int, $5::int + $3::int - 1) n returning id`,
    [accountId, line, count, fetched, next],
  );
  next += count;
  return rows.map(({ id }) => id);
}
let next = 1;

const placesOf = async (ids: string[]) =>
  Promise.all((await Promise.all(ids.map(id => getGeneration(accountId, id)))).map(queuePlace));

test('concurrent reads of many requests return the place of each in its own line', async () => {
  const long = await enqueue('long', 30);
  const short = await enqueue('short', 4);
  expect(await placesOf(long)).toEqual(long.map((_, n) => n + 1));
  expect(await placesOf([short[3]!, long[29]!, short[0]!, short[3]!])).toEqual([4, 30, 1, 4]);
  // a request that a worker holds waits no longer
  await pool().query('update requests set worker = $2 where id = $1', [short[0], accountId]);
  expect(await placesOf(short.slice(1))).toEqual([1, 2, 3]);
});

test('a request whose media are not fetched yet is placed after earlier ones, and does not count for later ones', async () => {
  const waiting = await enqueue('slow', 2);
  const [unfetched] = await enqueue('slow', 1, false);
  const [last] = await enqueue('slow', 1);
  expect(await placesOf([waiting[1]!, unfetched!, last!])).toEqual([2, 3, 3]);
});

test('places are counted up to 1000, and all later ones are 1001', async () => {
  const crowd = await enqueue('crowd', 1_200);
  expect(await placesOf([crowd[999]!, crowd[1_000]!, crowd[1_199]!])).toEqual([1_000, 1_001, 1_001]);
});
