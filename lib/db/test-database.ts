import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The Postgres that the unit tests share. */
    testServer: { host: string; port: number; user: string };
  }
}

export const TEMPLATE = 'pomona_template';

/**
 * Gives the test file that awaits it, first thing, a migrated and empty database of its own: its address is in DATABASE_URL, for
 * child processes too.
 */
export async function useOwnDatabase(): Promise<void> {
  const { host, port, user } = inject('testServer');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ host, port, user, database: 'postgres' });
  await client.connect();
  // what is copied is logged whole, and most of the work was to compress it
  await client.query('set wal_compression = off');
  await client.query(`create database ${name} template ${TEMPLATE}`);
  // an operator's Postgres may keep the time of any place: this one is a day ahead for most of each
  await client.query(`alter database ${name} set timezone = 'Pacific/Kiritimati'`);
  await client.end();
  process.env.DATABASE_URL = `postgres://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`;
}
