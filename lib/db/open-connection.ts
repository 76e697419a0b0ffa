import pg from 'pg';
import type { DatabaseAddress } from '#lib/db/address';

interface Options {
  /** Application name that the database shows. */
  name: string;
  /** Statement timeout in milliseconds; without it, statements may take any time. */
  statementMs?: number;
}

/**
 * Opens a connection outside of the pool, for long statements and for session locks. When the connection breaks, its
 * queries reject; the 'error' event, which would end the process if unhandled, is ignored. The statement timeout is
 * always set, because the role may have a default one (docs/running.md).
 */
export async function openConnection(address: DatabaseAddress, { name, statementMs = 0 }: Options): Promise<pg.Client> {
  const client = new pg.Client({
    ...address,
    application_name: name,
    connectionTimeoutMillis: 5_000,
  });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(`set statement_timeout = ${statementMs}`);
  } catch (error) {
    await client.end();
    throw error;
  }
  return client;
}
