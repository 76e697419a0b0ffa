import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { PoolClient } from 'pg';
import { afterAll, beforeEach, expect, inject, test } from 'vitest';
import { closeDatabase, db, pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { env } from '#lib/env';
import { newId } from '#lib/ids';
import { weighGeneration } from '#lib/life/accept';
import { findMedia } from '#lib/media/find-media';
import { isOutage } from '#lib/outage';
import { singletons } from '#lib/singleton';

await useOwnDatabase();

/** What clients sent through the proxy: startup settings, and names of prepared statements. */
const heard = { settings: new Set<string>(), statements: new Set<string>() };

const server = createServer(client => {
  const { host, port } = inject('testServer');
  const database = connect(`${host}/.s.PGSQL.${port}`);
  client.pipe(database).pipe(client);
  for (const socket of [client, database]) socket.on('error', () => {});
  let bytes = Buffer.alloc(0);
  let isFirst = true;
  client.on('data', chunk => {
    bytes = Buffer.concat([bytes, chunk]);
    for (;;) {
      const start = isFirst ? 0 : 1;
      if (bytes.length < start + 4 || bytes.length < start + bytes.readInt32BE(start)) return;
      const end = start + bytes.readInt32BE(start);
      const words = bytes.toString('utf8', start + (isFirst ? 8 : 4), end).split('\0');
      if (isFirst) words.forEach((word, at) => at % 2 === 0 && word && heard.settings.add(word));
      else if (bytes[0] === 'P'.charCodeAt(0)) heard.statements.add(words[0]!);
      isFirst = false;
      bytes = bytes.subarray(end);
    }
  });
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const direct = String(process.env.DATABASE_URL);
const through = `postgres://pomona@127.0.0.1:${(server.address() as AddressInfo).port}${new URL(direct).pathname}`;
afterAll(() => void server.close());

beforeEach(() => {
  heard.settings.clear();
  heard.statements.clear();
});

/** Drops the pool and what depends on it, so that the next pool reads the current settings. */
function forgetPool(): void {
  for (const name of ['db.pool', 'db.drizzle', 'media.by-key']) singletons.delete(name);
}

/** Runs queries, by the driver and by Drizzle, that are prepared where that is possible. */
async function ask(settings: { DATABASE_URL: string; DATABASE_DIRECT_URL?: string }): Promise<void> {
  Object.assign(env(), { DATABASE_DIRECT_URL: undefined, ...settings });
  forgetPool();
  await pool().query('select 1');
  await weighGeneration({ accountId: newId(), keyId: null, gems: 1, limits: { budget: null, inFlight: null } });
  await findMedia('input/a.png');
  await closeDatabase();
}

/** Startup parameters that every pooler accepts; PgBouncer refuses connections with others. */
const TAKEN = ['user', 'database', 'client_encoding', 'application_name'];

test('without DATABASE_DIRECT_URL, statements are prepared and have a timeout, without extra startup parameters', async () => {
  await ask({ DATABASE_URL: through });
  expect(heard.statements).toContain('weigh_generations');
  expect(heard.statements).toContain('media_by_key');
  expect([...heard.settings].filter(name => !TAKEN.includes(name))).toEqual([]);
  forgetPool();
  expect((await pool().query('show statement_timeout')).rows).toEqual([{ statement_timeout: '15s' }]);
  expect((await pool().query('show random_page_cost')).rows).toEqual([{ random_page_cost: '1.1' }]);
  await closeDatabase();
});

test('with DATABASE_DIRECT_URL, statements through the pooler are not named and connections have no settings', async () => {
  await ask({ DATABASE_URL: through, DATABASE_DIRECT_URL: direct });
  expect([...heard.statements]).toEqual(['']);
  expect([...heard.settings].filter(name => !TAKEN.includes(name))).toEqual([]);
  forgetPool();
  expect((await pool().query('show statement_timeout')).rows).toEqual([{ statement_timeout: '0' }]);
  await closeDatabase();
});

test('a migration beside this process changes the columns of a prepared statement without making it fail', async () => {
  Object.assign(env(), { DATABASE_URL: direct, DATABASE_DIRECT_URL: undefined });
  forgetPool();
  await pool().query('create table things (a int default 1)');
  await pool().query('insert into things default values');
  const read = async () => (await pool().query({ name: 'things', text: 'select * from things' })).rows;
  // twice, so that the statement is prepared on both connections
  expect(await Promise.all([read(), read()])).toEqual([[{ a: 1 }], [{ a: 1 }]]);
  await pool().query('alter table things add column b int default 2');
  expect(await Promise.all([read(), read()])).toEqual([[{ a: 1, b: 2 }], [{ a: 1, b: 2 }]]);
  await closeDatabase();
});

const streamOf = (client: PoolClient) => (client as unknown as { connection: { stream: Socket } }).connection.stream;

test('a connection that is silent during a statement is closed as an outage, and an idle one is kept', async () => {
  Object.assign(env(), { DATABASE_URL: direct, DATABASE_DIRECT_URL: undefined });
  forgetPool();
  const backend = async () => (await pool().query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid;
  const [[client], first] = (await Promise.all([once(pool(), 'acquire'), backend()])) as [[PoolClient], number];
  const stream = streamOf(client);
  expect(stream.timeout).toBe(16_000);
  stream.emit('timeout');
  expect(await backend()).toBe(first);
  const asked = pool().query('select pg_sleep(2)');
  asked.catch(() => {});
  await once(pool(), 'acquire');
  stream.emit('timeout');
  const error: unknown = await asked.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ message: 'Query read timeout' });
  expect(isOutage(error)).toBe(true);
  expect(await backend()).not.toBe(first);
  await closeDatabase();
});

test('transactions whose connections break do not use up the pool', async () => {
  Object.assign(env(), { DATABASE_URL: direct, DATABASE_DIRECT_URL: undefined });
  forgetPool();
  const breakOff = (client: PoolClient) => streamOf(client).destroy();
  pool().on('acquire', breakOff);
  for (let turn = 0; turn < env().DATABASE_POOL; turn++)
    await expect(db().transaction(async () => {})).rejects.toThrow('begin');
  pool().off('acquire', breakOff);
  await expect(db().transaction(tx => tx.execute('select 1'))).resolves.toBeTruthy();
  await closeDatabase();
});
