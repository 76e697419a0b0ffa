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

test('two concurrent starts share one cluster, which runs until its last user stops it', async () => {
  const [one, two] = await Promise.all([startEmbedded(), startEmbedded()]);
  await two.stop();
  expect(await query('select 1 as n')).toEqual([{ n: 1 }]);
  await one.stop();
  await Promise.all([one.ended, two.ended]);
  await expect(query('select 1')).rejects.toThrow();
});

test('a user who starts while several others stop gets a running cluster, which ends when that user stops', async () => {
  const users = await Promise.all([startEmbedded(), startEmbedded(), startEmbedded()]);
  const [late] = await Promise.all([startEmbedded(), ...users.map(user => user.stop())]);
  expect(await query('select 1 as n')).toEqual([{ n: 1 }]);
  await late.stop();
  await expect(query('select 1')).rejects.toThrow();
});

test('a process whose connection was terminated still counts as a user of the cluster', async () => {
  const [one, two] = await Promise.all([startEmbedded(), startEmbedded()]);
  const users = `select from pg_locks where locktype = 'advisory'`;
  await query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'pomona-use'`);
  await expect.poll(async () => (await query(users)).length).toBe(2);
  await one.stop();
  expect(await query('select 1 as n')).toEqual([{ n: 1 }]);
  await two.stop();
});

test('a process that stops while it reconnects is not counted as another user', async () => {
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

test('the cluster runs with full durability and listens only on its socket', async () => {
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

test('committed data are still there after the postmaster was killed', async () => {
  const first = await startEmbedded();
  await query('create table kept as select 7 as n');
  process.kill(postmaster(), 'SIGKILL');
  await first.ended;
  const second = await startEmbedded();
  expect(await query('select n from kept')).toEqual([{ n: 7 }]);
  await second.stop();
});

test('a command, even an aborted one, stops a database that no other process uses, and leaves one in use running', async () => {
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

test('a link to a missing cluster makes the start fail instead of creating an empty cluster', async () => {
  symlinkSync('/nowhere/pomona', join(env().DATA_DIR, 'postgres'));
  await expect(startEmbedded()).rejects.toThrow('points at a database that is gone');
});
