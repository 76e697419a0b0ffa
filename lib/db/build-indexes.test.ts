import { expect, test } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { buildIndexes } from '#lib/db/build-indexes';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { liveIn } from '#lib/status';

await useOwnDatabase();

const planOf = async (query: string): Promise<string> => {
  const { rows } = await pool().query<{ 'QUERY PLAN': string }>(`explain (costs off) ${query}`);
  return rows.map(row => row['QUERY PLAN']).join('\n');
};

test('queries for live requests use their indexes, even when the statistics contain no live request', async () => {
  const { id } = await createAccount({ email: 'planner@example.com' });
  await pool().query(
    `insert into requests (id, account_id, status, architecture, model_id, type, engine, prompt, body, config, seed, output, gems, finished_at)
    select gen_random_uuid(), $1, 'completed', 'mango', 'mango-v3', 'image', 'none', 'a fig', '{}', '{}', 1, '{}', 1, now()
    from generate_series(1, 2000)`,
    [id],
  );
  await buildIndexes();
  await pool().query('vacuum analyze requests');

  const ofAccount = `select count(*) from requests where account_id = '${id}' and ${liveIn()}`;
  expect(await planOf(ofAccount)).toMatch(/using requests_live\b[^]*Index Cond: \(account_id/);
  expect(await planOf(`select from requests where engine = 'none' and status = 'in_progress'`)).toMatch(
    /requests_running\b[^]*Index Cond: \(engine/,
  );
  expect(await planOf(`select engine, count(*) from requests where ${liveIn()} group by 1`)).toMatch(/requests_live\b/);
  // no SQL function, as of the last migration, may count live requests without the condition of the index
  const { rows } = await pool().query(
    `select proname from pg_proc where prosrc ~ $$q\\.status IN \\('queued', 'in_progress'\\)(?! AND q\\.finished_at IS NULL)$$`,
  );
  expect(rows).toEqual([]);
  // nor may a function that claims by id match the index of waiting requests, which the planner would prefer to the id
  const claiming = await pool().query(
    `select proname from pg_proc where prosrc ~ $$UPDATE requests\\y.*WHERE r\\.id = [^;]*r\\.fetched (AND|RETURNING)$$`,
  );
  expect(claiming.rows).toEqual([]);
});

test('counting the running recipe runs of an account uses an index that leaves out finished ones', async () => {
  const { id } = await createAccount({ email: 'runner@example.com' });
  await pool().query(
    `insert into recipe_runs (id, account_id, scope, recipe, name, status, steps, results, inputs, "values", prices)
    select gen_random_uuid(), $1, $1, 'storyboard', 'Storyboard', 'completed', '[]', '[]', '{}', '{}', '[]'
    from generate_series(1, 2000)`,
    [id],
  );
  await buildIndexes();
  await pool().query('vacuum analyze recipe_runs');
  expect(await planOf(`select count(*) from recipe_runs where account_id = '${id}' and status = 'running'`)).toMatch(
    /using recipe_runs_going\b[^]*Index Cond: \(account_id/,
  );
});

test('each foreign key has an index', async () => {
  await buildIndexes();
  const { rows } = await pool().query(
    `select conrelid::regclass::text as "table", attname as "column" from pg_constraint c
      join pg_attribute a on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and not exists (
      select from pg_index where indrelid = conrelid and indkey[0] = conkey[1] and cardinality(conkey) = 1
        and (indpred is null or pg_get_expr(indpred, indrelid) = format('(%I IS NOT NULL)', attname)))
    order by 1, 2`,
  );
  expect(rows).toEqual([]);
});

test('files of an account, and overdue, expired or deleted uploads, are found by index', async () => {
  const [one, other] = await Promise.all(
    ['one', 'other'].map(name => createAccount({ email: `${name}@files.example.com` })),
  );
  await pool().query(
    `insert into media (id, account_id, kind, key, content_type, bytes)
    select gen_random_uuid(), $1, 'upload', 'upload/' || n || '.png', 'image/png', 1 from generate_series(1, 2000) n`,
    [other!.id],
  );
  await pool().query(
    `insert into uploads (id, account_id, key, content_type, max_bytes, put_expires_at, expires_at, ready_at)
    select gen_random_uuid(), $1, n, 'image/png', 1, now(), now() + interval '1 day', now() from generate_series(1, 2000) n`,
    [other!.id],
  );
  await buildIndexes();
  await pool()
    .query('vacuum analyze media; ')
    .then(() => pool().query('vacuum analyze uploads'));
  const exported = `select * from media where account_id = (select '${one!.id}'::uuid) and kind <> 'preview' order by id limit 200`;
  expect(await planOf(exported)).toMatch(/using media_account\b[^]*Index Cond: \(account_id/);
  const overdue = 'from uploads where ready_at is null and put_expires_at <= now()';
  for (const query of [`select ${overdue}`, `delete ${overdue}`])
    expect(await planOf(query)).toMatch(/uploads_overdue\b[^]*Index Cond: \(put_expires_at/);
  const lapsed = 'update uploads set deleted_at = now() where deleted_at is null and expires_at <= now()';
  expect(await planOf(lapsed)).toMatch(/uploads_lapsing\b[^]*Index Cond: \(expires_at/);
  expect(await planOf(`delete from uploads where deleted_at <= now()`)).toMatch(
    /uploads_deleted\b[^]*Index Cond: \(deleted_at/,
  );
});

test('looking up the keys of a connected app uses an index', async () => {
  const { id } = await createAccount({ email: 'apps@example.com' });
  await pool().query(
    `insert into api_keys (id, account_id, name, hash, last_four, app)
    select gen_random_uuid(), $1, 'an app', n::text::bytea, '', jsonb_build_object('clientId', n) from generate_series(1, 2000) n`,
    [id],
  );
  await buildIndexes();
  await pool().query('vacuum analyze api_keys');
  const named = `app->>'clientId' = '5' and app is not null`;
  expect(await planOf(`select from api_keys where ${named} and revoked_at is null limit 1`)).toMatch(
    /using api_keys_app\b[^]*Index Cond: /,
  );
});

test('the words of a final request are in their index immediately, and not in its pending list', async () => {
  await buildIndexes();
  const { id } = await createAccount({ email: 'words@example.com' });
  await pool().query(
    `insert into requests (id, account_id, status, architecture, model_id, type, engine, prompt, body, config, seed, output, gems, finished_at)
    values (gen_random_uuid(), $1, 'completed', 'mango', 'mango-v3', 'image', 'none', 'a fig', '{}', '{}', 1, '{}', 1, now())`,
    [id],
  );
  const { rows } = await pool().query(`select gin_clean_pending_list('requests_account_words')::int as pages`);
  expect(rows).toEqual([{ pages: 0 }]);
});
