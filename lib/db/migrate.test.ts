import { randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { directAddress } from '#lib/db/address';
import { pool } from '#lib/db/client';
import { migrateDatabase } from '#lib/db/migrate';
import { useOwnDatabase } from '#lib/db/test-database';
import { messageOf } from '#lib/errors';
import { StartError } from '#lib/start-error';

await useOwnDatabase();

/** Returns the backends that migrate this database and wait for a lock. */
async function waiting(): Promise<number[]> {
  const { rows } = await pool().query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'pomona-migrate' and wait_event_type = 'Lock'
      and datname = current_database()`,
  );
  return rows.map(({ pid }) => pid);
}

test('a migration that waits for a table in use lets other queries pass and is retried', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pomona-migrations-'));
  await mkdir(join(folder, 'meta'));
  const entries = [{ tag: '0000_more', when: Date.now() * 2, breakpoints: true }];
  await writeFile(join(folder, 'meta/_journal.json'), JSON.stringify({ entries }));
  await writeFile(join(folder, '0000_more.sql'), 'alter table things add column more int');
  await pool().query('create table things (a int)');
  const worker = new pg.Client(directAddress());
  await worker.connect();
  await worker.query('begin');
  await worker.query('insert into things values (1)');

  const migrated = migrateDatabase(directAddress(), folder);
  await expect.poll(async () => (await waiting()).length, { timeout: 20_000 }).toBe(1);
  // this query waits behind the migration until the migration backs off
  expect((await pool().query('select a from things')).rows).toEqual([]);
  await worker.query('commit');
  await migrated;
  expect((await pool().query('select more from things')).rows).toEqual([{ more: null }]);
  await worker.end();
  await rm(folder, { recursive: true });
});

test('a database emptied as in docs/running.md can take an older schema and be migrated to the newest', async () => {
  const guide = await readFile('docs/running.md', 'utf8');
  const emptied = new Set([...guide.matchAll(/^psql .* -c '(DROP SCHEMA .*)'/gm)].map(([, sql]) => sql!));
  expect(emptied.size).toBe(1);
  for (const sql of emptied) await pool().query(sql);
  const older = await mkdtemp(join(tmpdir(), 'pomona-migrations-'));
  await cp('lib/db/migrations', older, { recursive: true });
  const journal = join(older, 'meta/_journal.json');
  const { entries } = JSON.parse(await readFile(journal, 'utf8')) as { entries: unknown[] };
  await writeFile(journal, JSON.stringify({ entries: entries.slice(0, 40) }));
  await migrateDatabase(directAddress(), older);
  await migrateDatabase();
  const { rows } = await pool().query('select count(*)::int as known from drizzle.__drizzle_migrations');
  expect(rows).toEqual([{ known: entries.length }]);
  await rm(older, { recursive: true });
});

test('a migration whose database connection is terminated reconnects and continues', async () => {
  const other = new pg.Client(directAddress());
  await other.connect();
  await other.query('select pg_advisory_lock(7605662)');
  const migrated = migrateDatabase();
  await expect.poll(waiting).toHaveLength(1);
  const [before] = await waiting();
  await pool().query('select pg_terminate_backend($1)', [before]);
  await expect.poll(async () => (await waiting()).filter(pid => pid !== before)).toHaveLength(1);
  await other.end();
  await migrated;
});

test('an error with several addresses reports the reason for each address', async () => {
  const refused = ['connect ECONNREFUSED ::1:1', 'connect ECONNREFUSED 127.0.0.1:1'].map(one => new Error(one));
  expect(messageOf(new AggregateError(refused))).toBe('connect ECONNREFUSED ::1:1; connect ECONNREFUSED 127.0.0.1:1');
  expect(messageOf(Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }))).toBe('ECONNREFUSED');
});

describe('a database that cannot be used', () => {
  // not the pool: on a busy machine, creating a database takes longer than the statement timeout
  const admin = new pg.Client(directAddress());
  beforeAll(() => admin.connect());
  afterAll(() => admin.end());

  async function makeDatabase({ words = '', user = '' }): Promise<{ connectionString: string }> {
    const name = `unfit_${randomBytes(6).toString('hex')}`;
    await admin.query(`create database ${name} ${words}`);
    const address = new URL(directAddress().connectionString!);
    Object.assign(address, { pathname: `/${name}`, ...(user && { username: user }) });
    return { connectionString: address.href };
  }

  test('an encoding other than UTF-8 is refused before the first migration, but not at an upgrade', async () => {
    const words = `template template0 encoding LATIN1 locale_provider libc locale 'C'`;
    const unfit = await makeDatabase({ words });
    await expect(migrateDatabase(unfit)).rejects.toThrow(/is in LATIN1.* ENCODING 'UTF8'/);
    const client = new pg.Client(unfit);
    await client.connect();
    await client.query('create schema drizzle; create table drizzle.__drizzle_migrations (created_at bigint)');
    await client.end();
    await expect(migrateDatabase(unfit), 'nobody who upgrades is stopped').rejects.not.toThrow(/ENCODING/);
  });

  test('a user without permission to change the database is reported as a start error', async () => {
    const user = `guest_${randomBytes(6).toString('hex')}`;
    await admin.query(`create role ${user} login`);
    const refused = migrateDatabase(await makeDatabase({ user }));
    await expect(refused).rejects.toThrow(/permission denied for .*owner/);
    await expect(refused).rejects.toBeInstanceOf(StartError);
  });
});
