import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { buildIndexes } from '#lib/db/build-indexes';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { listGenerations } from '#lib/generations/list';

await useOwnDatabase();

const ROWS = 20_000;
const PROMPTS = {
  tin: 'Rain on 100% tin_roofs, (masterpiece:1.2) red/blue',
  tokyo: '東京の雨、夜のネオン',
  moscow: 'Дождь в Москве',
  athens: 'Βροχή στην Αθήνα — «παλιά» πόλη',
  // decomposed accents, as in file names on some systems
  apart: 'a crème brûlée'.normalize('NFD'),
  bangkok: 'ฝนตกในกรุงเทพ',
  // a word that is longer than an index entry can be
  endless: `${'ab'.repeat(5_120)}c`,
  quote: `don't stop the o'clock`,
};
let accountId: string;

const insert = (numbers: string, prompt: string, status: string) =>
  pool().query(
    `insert into requests (id, account_id, status, architecture, model_id, type, engine, prompt, body, config, seed, output, gems, finished_at)
    select gen_random_uuid(), $1, '${status}', 'mango', 'mango-v3', 'image', 'none', ${prompt}, '{}', '{}', 1, '{}', 1,
      case '${status}' when 'queued' then null else now() end from ${numbers}`,
    [accountId],
  );

beforeAll(async () => {
  accountId = (await createAccount({ email: 'reader@example.com' })).id;
  await insert(`generate_series(1, ${ROWS}) n`, `'word' || n || ' of a long history ' || md5(n::text)`, 'completed');
  for (const prompt of Object.values(PROMPTS)) await insert('(select) one', `$$${prompt}$$`, 'cancelled');
  await insert('(select) one', `'Rain that still waits'`, 'queued');
  expect(await buildIndexes()).toBeGreaterThan(1);
  expect(await buildIndexes()).toBe(0);
  await pool().query('analyze requests');
});

const find = async (q: string) => (await listGenerations(accountId, { limit: 50, q })).data.map(({ prompt }) => prompt);

test.each([
  ['RAIN', [PROMPTS.tin, 'Rain that still waits']],
  ['roofs rain', [PROMPTS.tin]],
  ['mast', [PROMPTS.tin]],
  ['blue', [PROMPTS.tin]],
  ['100%', [PROMPTS.tin]],
  ['tin_r', [PROMPTS.tin]],
  ['tin-r', []],
  ['%', [PROMPTS.tin]],
  ['\\', []],
  ['雨', [PROMPTS.tokyo]],
  ['ネオン', [PROMPTS.tokyo]],
  ['京東', []],
  ['москв', [PROMPTS.moscow]],
  ['αθήνα', [PROMPTS.athens]],
  ['παλιά πόλη', [PROMPTS.athens]],
  ['αθήνα'.normalize('NFD'), [PROMPTS.athens]],
  ['crème'.normalize('NFC'), [PROMPTS.apart]],
  ['CRÈME br'.normalize('NFC'), [PROMPTS.apart]],
  ['กรุงเทพ', [PROMPTS.bangkok]],
  ['ab'.repeat(100), [PROMPTS.endless]],
  [`don't`, [PROMPTS.quote]],
  [`o'clock "`, []],
  ['word7777 history', [expect.stringMatching(/^word7777 of/)]],
])('the search %j finds the prompts that have words with these beginnings', async (q, prompts) => {
  expect((await find(q)).toSorted()).toEqual(prompts.toSorted());
});

test('a very long prompt can be stored and found by words near its beginning', async () => {
  const novel = Array.from({ length: 300_000 }, (_, n) => `chapter${n}`).join(' ');
  await insert('(select) one', `$$${novel}$$`, 'completed');
  expect((await find('chapter1234 chapter1233')).map(prompt => prompt.length)).toEqual([novel.length]);
});

test('a search for a rare word uses the index', async () => {
  const uses = async () => {
    const { rows } = await pool().query<{ idx_scan: number }>(
      `select idx_scan from pg_stat_user_indexes where indexrelname = 'requests_account_words'`,
    );
    return rows[0]!.idx_scan;
  };
  const before = await uses();
  await find('москве');
  await expect.poll(uses, { timeout: 10_000 }).toBeGreaterThan(before);
});

test('the planner has statistics about the most common words of prompts', async () => {
  const { rows } = await pool().query<{ found: string }>(
    `select split_part(word, ':', 2) as found from pg_stats_ext_exprs, unnest(most_common_elems::text::text[]) word
    where statistics_name = 'requests_words'`,
  );
  expect(rows.map(({ found }) => found)).toEqual(expect.arrayContaining(['history', 'long']));
});

test('requests that mention a handle are listed newest first, also those from before mentions were recorded', async () => {
  const mentions = JSON.stringify([{ handle: 'ana' }, { handle: 'harbour' }]);
  const { rows } = await pool().query<{ id: string }>(
    `insert into requests (id, account_id, status, architecture, model_id, type, engine, prompt, body, config, seed, output, gems, mentions, finished_at)
    select gen_random_uuid(), $1, 'completed', 'mango', 'mango-v3', 'image', 'none', 'at sea', '{}', '{}', 1, '{}', 1, $2, now()
    from generate_series(1, 7) returning id`,
    [accountId, mentions],
  );
  const newest = rows
    .map(({ id }) => id)
    .toSorted()
    .toReversed();
  const found = async (mention: string) =>
    (await listGenerations(accountId, { limit: 5, mention })).data.map(({ id }) => id);
  const backfill = await readFile(new URL('../db/migrations/0038_past_mentions.sql', import.meta.url), 'utf8');
  const forgotten = `delete from request_mentions; ${backfill}`;
  for (const before of ['select 1', forgotten, backfill]) {
    await pool().query(before);
    for (const handle of ['ana', 'harbour']) expect(await found(handle)).toEqual(newest.slice(0, 5));
  }
  expect(await found('nobody')).toEqual([]);
});
