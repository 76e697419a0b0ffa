import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { directAddress, type DatabaseAddress } from '#lib/db/address';
import { StartError } from '#lib/process/start-error';

const READY_LIMIT = 30_000;
/** Any fixed number: the advisory lock that lets one process migrate at a time. */
const MIGRATION_LOCK = 7_605_662;

/** Waits for the database and brings it up to date. Any number of processes may call it at the same time. */
export async function migrateDatabase(address = directAddress()): Promise<void> {
  const client = await connectWhenReady(address);
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await migrate(drizzle(client), { migrationsFolder: join(import.meta.dirname, 'migrations') });
  } finally {
    await client.end();
  }
}

async function connectWhenReady(address: DatabaseAddress): Promise<pg.Client> {
  const begun = Date.now();
  for (;;) {
    const client = new pg.Client({
      ...address,
      connectionTimeoutMillis: 5_000,
      application_name: 'pomona-migrate',
    });
    try {
      await client.connect();
      return client;
    } catch (cause) {
      if (!isTemporary(cause) || Date.now() - begun > READY_LIMIT) {
        throw new StartError(
          `The database does not answer: ${(cause as Error).message}. Check DATABASE_URL and that Postgres runs.`,
          { cause },
        );
      }
      await pause(200);
    }
  }
}

/** A wrong password or name does not heal by waiting; a server that starts, stops or is full does. */
function isTemporary(error: unknown): boolean {
  const { code } = error as { code?: string };
  return !code || !/^(28|3D)/.test(code);
}
