import { mkdtemp } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { accountWith } from '#lib/accounts/test-callers';
import { databaseAddress } from '#lib/db/address';
import { pool } from '#lib/db/client';
import { PORTION } from '#lib/db/in-portions';
import { useOwnDatabase } from '#lib/db/test-database';
import { newId } from '#lib/ids';
import { claim, submit, WORKER } from '#lib/life/test-requests';
import { startSweeps } from '#lib/worker/sweeps';

await useOwnDatabase();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-sweeps-'));
process.env.LOG_LEVEL = 'silent';

const EVERYTHING = [
  'abandoned and expired uploads',
  'architectures that were retired',
  'codes, tokens and apps that are over',
  'deliveries that are over',
  'expired media',
  'files without a row',
  'files without smaller forms',
  'frames of what is final',
  'idempotency keys that are over',
  'indexes of large tables',
  'links that are over',
  'media that expire soon',
  'notices that are over',
  'public characters without copies',
  'refusals that are over',
  'requests of workers that are gone',
  'requests that nothing serves any more',
  'sessions that are over',
  `temporary files on ${hostname()}`,
  'workers that are gone',
];

test('the sweeps of dead workers and stray files wait until the process is steady, while all others run', async () => {
  let isSteady = false;
  const sweeps = startSweeps(() => isSteady);
  const done = async () => {
    const { rows } = await pool().query<{ name: string }>('select name from schedules');
    return rows.map(({ name }) => name);
  };
  const held = ['requests of workers that are gone', 'files without a row'];
  await expect.poll(done, { timeout: 10_000 }).toContain('expired media');
  expect((await done()).filter(name => held.includes(name))).toEqual([]);
  isSteady = true;
  await expect.poll(done, { timeout: 10_000 }).toEqual(expect.arrayContaining(held));
  // each sweep has its own tests elsewhere; only here is it checked that all of them run
  await expect.poll(async () => (await done()).toSorted(), { timeout: 10_000 }).toEqual(EVERYTHING);
  await sweeps.stop();
});

test('requests of silent workers are not released if the process became unsteady during the query', async () => {
  const id = await submit(await accountWith(1_000));
  await claim(id);
  await pool().query('delete from schedules');
  const isSteady = vi.fn(() => false);
  // both sweeps with `needsSteady` ask once before the query and once after it
  isSteady.mockReturnValueOnce(true).mockReturnValueOnce(true);
  const sweeps = startSweeps(isSteady);
  const due = `select from schedules where name = 'requests of workers that are gone'`;
  await expect.poll(async () => (await pool().query(due)).rowCount, { timeout: 10_000 }).toBe(1);
  await sweeps.stop();
  expect((await pool().query('select worker from requests where id = $1', [id])).rows).toEqual([{ worker: WORKER }]);
});

test('media expire by the clock of the database, not by the clock of the machine', async () => {
  const { id } = await createAccount({ email: 'keeper@example.com' });
  await pool().query('delete from schedules');
  await pool().query(
    `insert into media (id, account_id, kind, key, content_type, bytes, expires_at)
    select gen_random_uuid(), $1, 'result', key, 'image/png', 1, now() + days * interval '1 day'
    from (values ('result/over.png', -1), ('result/fresh.png', 30)) as made (key, days)`,
    [id],
  );
  const deleted = async () => {
    const { rows } = await pool().query<{ key: string }>('select key from media where deleted_at is not null');
    return rows.map(({ key }) => key);
  };
  vi.setSystemTime(Date.now() + 40 * 86_400_000);
  const sweeps = startSweeps(() => true);
  // by this process's clock, both files would be expired
  await expect.poll(deleted, { timeout: 10_000 }).toContain('result/over.png');
  await sweeps.stop();
  vi.useRealTimers();
  expect(await deleted()).toEqual(['result/over.png']);
});

test('a sweep that outlasts its interval is not started a second time', async () => {
  const holder = new pg.Client(databaseAddress());
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query('begin; lock table uploads');
  const names = ['abandoned and expired uploads', 'links that are over'];
  const makeDue = () => pool().query('update schedules set due_at = now() where name = any($1)', [names]);
  /** Returns the names of the sweeps that were taken since `makeDue`. */
  const taken = async () => {
    const { rows } = await pool().query<{ name: string }>(
      'select name from schedules where due_at > now() and name = any($1) order by name',
      [names],
    );
    return rows.map(({ name }) => name);
  };
  await pool().query(`update schedules set due_at = now() + interval '1 day'`);
  await makeDue();
  const sweeps = startSweeps(() => true);
  await expect.poll(taken, { timeout: 10_000 }).toEqual(names);
  await makeDue();
  await expect.poll(taken, { timeout: 10_000 }).toContain('links that are over');
  expect(await taken()).toEqual(['links that are over']);
  await holder.query('rollback');
  await expect.poll(taken, { timeout: 10_000 }).toEqual(names);
  await sweeps.stop();
});

/** Rows swept by age: table, age of a row that stays, age of a row that is deleted, columns and their values. */
const SWEPT = (account: string) => [
  ['workers', '4 minutes', '6 minutes', 'id, host, pid, seen_at', `gen_random_uuid(), age, 1, at`],
  [
    'submissions',
    '29 days',
    '31 days',
    'scope, key, request_id, created_at',
    `'${account}', age, gen_random_uuid(), at`,
  ],
  [
    'refusals',
    '23 hours',
    '25 hours',
    'request_id, account_id, architecture, model_id, type, prompt, status, body, created_at',
    `gen_random_uuid(), '${account}', 'z_image', 'z', 'image', age, 402, '', at`,
  ],
  [
    'secret_links',
    '29 days',
    '31 days',
    'id, kind, token_hash, email, expires_at',
    `gen_random_uuid(), 'invite', age::bytea, age, at`,
  ],
  [
    'sessions',
    '-1 days',
    '1 days',
    'id, account_id, user_agent, address, expires_at',
    `gen_random_uuid(), '${account}', age, '', at`,
  ],
  [
    'notices',
    '89 days',
    '91 days',
    'id, account_id, kind, data, created_at',
    `gen_random_uuid(), '${account}', age, '{}', at`,
  ],
];

test('rows are deleted after their retention time, and not before', async () => {
  const { id } = await createAccount({ email: 'old@example.com' });
  await pool().query('delete from schedules; delete from notices');
  for (const [table, stays, goes, columns, values] of SWEPT(id))
    await pool().query(
      `insert into ${table} (${columns}) select ${values}
      from (select age, now() - age::interval as at from unnest($1::text[]) age) ages`,
      [[stays, goes]],
    );
  const left = async () => {
    const tables = SWEPT(id).map(([table]) => `select array_agg(t::text) as rows from ${table} t`);
    return (await pool().query<{ rows: string[] }>(tables.join(' union all '))).rows.map(({ rows }) => rows);
  };
  const sweeps = startSweeps(() => true);
  await expect.poll(left).toEqual(SWEPT(id).map(([, stays]) => [expect.stringContaining(stays!)]));
  await sweeps.stop();
});

test('the idempotency key of a refusal is deleted with it', async () => {
  const { id } = await createAccount({ email: 'refused@example.com' });
  await pool().query('delete from schedules; delete from refusals; delete from submissions');
  await pool().query(
    `with refused as (
      insert into refusals (request_id, account_id, architecture, model_id, type, prompt, status, body, created_at)
      select gen_random_uuid(), $1, 'z_image', 'z', 'image', age, 402, '', now() - age::interval
      from unnest('{23 hours,25 hours}'::text[]) age returning *
    ) insert into submissions (scope, key, request_id, created_at) select account_id, prompt, request_id, created_at from refused`,
    [id],
  );
  const pairs = 'select prompt as refusal, key from refusals full join submissions using (request_id)';
  const sweeps = startSweeps(() => true);
  await expect.poll(async () => (await pool().query(pairs)).rows).toEqual([{ refusal: '23 hours', key: '23 hours' }]);
  await sweeps.stop();
});

test('outdated rows are deleted in portions, however many there are', async () => {
  const { id } = await createAccount({ email: 'much@example.com' });
  const webhook = newId();
  await pool().query(
    `insert into webhooks (id, account_id, url, events) values ($1, $2, 'https://example.com', '{}')`,
    [webhook, id],
  );
  await pool().query(
    `create function one_portion() returns trigger language plpgsql as $$ begin
      if (select count(*) from gone) > ${PORTION} then raise 'too much at once'; end if;
      return null;
    end $$`,
  );
  const much = [
    ...SWEPT(id).filter(([table]) => table === 'submissions' || table === 'refusals' || table === 'notices'),
    [
      'webhook_deliveries',
      '13 days',
      '15 days',
      'id, webhook_id, account_id, event, url, lane, body, finished_at',
      `gen_random_uuid(), '${webhook}', '${id}', 'test', '', age, '', at`,
    ],
  ];
  for (const [table, stays, goes, columns, values] of much) {
    await pool().query(
      `create trigger one_portion after delete on ${table} referencing old table as gone
      for each statement execute function one_portion()`,
    );
    const unique = values!.replace(/, age,/, ', age || n,');
    await pool().query(
      `insert into ${table} (${columns}) select ${unique}
      from (values ('${goes}', ${PORTION + 1}), ('${stays}', 1)) ages (age, many),
        lateral (select now() - age::interval as at) made, generate_series(1, many) n`,
    );
  }
  await pool().query('delete from schedules');
  const over = async () => {
    const tables = much.map(([table, , goes]) => {
      const at = table === 'webhook_deliveries' ? 'finished_at' : 'created_at';
      return `select '${table}' as name from ${table} where ${at} < now() - '${goes}'::interval + interval '1 hour'`;
    });
    const { rows } = await pool().query<{ name: string }>(tables.join(' union '));
    return rows.map(({ name }) => name);
  };
  const sweeps = startSweeps(() => true);
  await expect.poll(over).toEqual([]);
  await sweeps.stop();
  // for the other tables, the test above checks that young rows stay
  expect((await pool().query('select from webhook_deliveries')).rowCount).toBe(1);
});
