import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { databaseAddress } from '#lib/db/address';
import { startEmbedded, withDatabase } from '#lib/db/embedded';
import { env } from '#lib/env';

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'pomona-embedded-'));
  chmodSync(folder, 0o711);
  Object.assign(env(), { DATA_DIR: folder, DATABASE_URL: undefined });
});

afterEach(() => rmSync(env().DATA_DIR, { recursive: true }));

async function query(text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(databaseAddress());
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

const postmaster = () => Number(readFileSync(join(env().DATA_DIR, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);

const { signal } = new AbortController();

test('two starts at once make one cluster, which runs until the last that uses it stops it', async () => {
  const [one, two] = await Promise.all([startEmbedded(), startEmbedded()]);
  await two.stop();
  expect(await query('select 1 as n')).toEqual([{ n: 1 }]);
  await one.stop();
  await Promise.all([one.ended, two.ended]);
  await expect(query('select 1')).rejects.toThrow();
});

test('of several that stop at once the last stops it, and whoever comes meanwhile has it up', async () => {
  const users = await Promise.all([startEmbedded(), startEmbedded(), startEmbedded()]);
  const [late] = await Promise.all([startEmbedded(), ...users.map(user => user.stop())]);
  expect(await query('select 1 as n')).toEqual([{ n: 1 }]);
  await late.stop();
  await expect(query('select 1')).rejects.toThrow();
});

test('whoever lost its connection still uses it', async () => {
  const [one, two] = await Promise.all([startEmbedded(), startEmbedded()]);
  const users = `select from pg_locks where locktype = 'advisory'`;
  await query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'pomona-use'`);
  await expect.poll(async () => (await query(users)).length).toBe(2);
  await one.stop();
  expect(await query('select 1 as n')).toEqual([{ n: 1 }]);
  await two.stop();
});

test('who leaves while it joins again is not taken for another user', async () => {
  const only = await startEmbedded();
  const locks = `select objid as key from pg_locks where locktype = 'advisory' and not granted`;
  const [lock] = await query(`select objid as key from pg_locks where locktype = 'advisory'`);
  const other = new pg.Client(databaseAddress());
  await other.connect();
  // queued for the lock before the reconnect, which therefore waits
  const held = other.query('select pg_advisory_lock($1)', [lock!.key]);
  await expect.poll(() => query(locks)).toHaveLength(1);
  await query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'pomona-use'`);
  await held;
  await expect.poll(() => query(locks)).toHaveLength(1);
  const stopped = only.stop();
  await other.end();
  await stopped;
  await expect(query('select 1')).rejects.toThrow();
});

test('it keeps its word on durability, and speaks only through its socket', async () => {
  await withDatabase(async () => {
    const rows = await query(
      `select name, setting from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums', 'listen_addresses')`,
    );
    expect(Object.fromEntries(rows.map(row => [row.name, row.setting]))).toEqual({
      fsync: 'on',
      full_page_writes: 'on',
      synchronous_commit: 'on',
      data_checksums: 'on',
      listen_addresses: '',
    });
  }, signal);
});

test('what was committed is there after the postmaster was killed', async () => {
  const first = await startEmbedded();
  await query('create table kept as select 7 as n');
  process.kill(postmaster(), 'SIGKILL');
  await first.ended;
  const second = await startEmbedded();
  expect(await query('select n from kept')).toEqual([{ n: 7 }]);
  await second.stop();
});

test('a command stops the database that nobody else uses, told to stop itself too, and leaves one that somebody does', async () => {
  await withDatabase(() => query('select 1'), signal);
  await expect(query('select 1')).rejects.toThrow();
  const told = new AbortController();
  const work = async () => {
    told.abort();
    await new Promise(() => {});
  };
  await expect(withDatabase(work, told.signal)).rejects.toThrow('aborted');
  await expect(query('select 1')).rejects.toThrow();
  const database = await startEmbedded();
  await withDatabase(() => query('select 1'), signal);
  expect(await query('select 1 as n')).toEqual([{ n: 1 }]);
  await database.stop();
});

test('a cluster that is gone is never silently replaced by an empty one', async () => {
  symlinkSync('/nowhere/pomona', join(env().DATA_DIR, 'postgres'));
  await expect(startEmbedded()).rejects.toThrow('points at a database that is gone');
});
