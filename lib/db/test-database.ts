import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Postgres server that the unit tests share. */
    testServer: { host: string; port: number; user: string };
  }
}

export const TEMPLATE = 'pomona_template';

/**
 * Creates an empty, migrated database for the calling test file, which must await this first. The address is in
 * DATABASE_URL, for child processes too.
 */
export async function useOwnDatabase(): Promise<void> {
  const { host, port, user } = inject('testServer');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ host, port, user, database: 'postgres' });
  await client.connect();
  // the whole template is written to the WAL, and compressing that took most of the time
  await client.query('set wal_compression = off');
  await client.query(`create database ${name} template ${TEMPLATE}`);
  // an operator's Postgres may have any time zone: this one (UTC+14) is a calendar day ahead for most of each day
  await client.query(`alter database ${name} set timezone = 'Pacific/Kiritimati'`);
  await client.end();
  process.env.DATABASE_URL = `postgres://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`;
}
