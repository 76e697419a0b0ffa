import { expect, test } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { searchCreations } from '#lib/generations/search-creations';
import { newId } from '#lib/ids';

await useOwnDatabase();

/** Creates an account with a request for each name; requests whose names begin with a K are kept. */
async function withHerons(names: readonly string[], { status = 'completed', isRemoved = false } = {}): Promise<string> {
  const { id } = await createAccount({ email: `${newId()}@example.com` });
  for (const name of names)
    await pool().query(
      `insert into requests (id, account_id, status, architecture, model_id, type, engine, prompt, body, config, seed, output, gems, kept, finished_at, removed_at)
      values ($1, $2, $4, 'mango', 'mango-v3', 'image', 'none', 'heron ' || $3::text, '{}', '{}', 1, '{}', 1, $3::text like 'K%',
        case when $4 <> 'queued' then now() end, case when $5 then now() end)`,
      [newId(), id, name, status, isRemoved],
    );
  return id;
}

test.each([
  [[], [[]]],
  [
    ['1', 'K1', '2', 'K2', 'K3'],
    [['K3', 'K2'], ['K1', '2'], ['1']],
  ],
  [
    ['1', '2', 'K1', 'K2'],
    [
      ['K2', 'K1'],
      ['2', '1'],
    ],
  ],
  [['K1', 'K2'], [['K2', 'K1']]],
  [['K1', '1'], [['K1', '1']]],
  [
    ['1', '2', '3'],
    [['3', '2'], ['1']],
  ],
])('a search of %j returns kept results first, and an empty page only when nothing is found', async (names, pages) => {
  const accountId = await withHerons(names);
  const found: string[][] = [];
  let cursor: string | undefined;
  do {
    const { data, nextCursor } = await searchCreations(accountId, 'heron', { limit: 2, cursor });
    found.push(data.map(({ prompt }) => prompt.replace('heron ', '')));
    cursor = nextCursor ?? undefined;
  } while (cursor);
  expect(found).toEqual(pages);
});

test('a result whose files have expired is found only if it is kept', async () => {
  const accountId = await withHerons(['1', '2', 'K1']);
  await pool().query(
    `update requests set created_at = now() - interval '31 days' where account_id = $1 and prompt in ('heron 1', 'heron K1')`,
    [accountId],
  );
  const { data, nextCursor } = await searchCreations(accountId, 'heron', { limit: 5 });
  expect(data.map(({ prompt }) => prompt)).toEqual(['heron K1', 'heron 2']);
  expect(nextCursor).toBeNull();
});

test.each([{ status: 'queued' }, { status: 'failed' }, { status: 'cancelled' }, { isRemoved: true }])(
  'a search does not find requests with %j',
  async rows => {
    const accountId = await withHerons(['1', '2', 'K1', 'K2'], rows);
    expect(await searchCreations(accountId, 'heron', { limit: 2 })).toEqual({ data: [], nextCursor: null });
  },
);
