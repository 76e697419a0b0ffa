import pg from 'pg';
import type { DatabaseAddress } from '#lib/db/address';

interface Options {
  /** What the database calls it. */
  name: string;
  /** How long a statement may take; without one, as long as it does. */
  statementMs?: number;
}

/**
 * A connection beside the pool, which cuts statements off sooner and keeps no lock. When it breaks, whoever asks it something is told:
 * an error that nobody hears would end the process. Its limit is told to the database in any case: behind a pooler the role has one.
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
