import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readMigrationFiles, type MigrationMeta } from 'drizzle-orm/migrator';
import { NodePgSession } from 'drizzle-orm/node-postgres';
import { PgDialect } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import { directAddress, type DatabaseAddress } from '#lib/db/address';
import { openConnection } from '#lib/db/open-connection';
import { LOCK_NOT_AVAILABLE, NOT_ALLOWED } from '#lib/db/sql-states';
import { messageOf } from '#lib/errors';
import { log } from '#lib/log';
import { isOutage } from '#lib/outage';
import { StartError } from '#lib/start-error';

const READY_LIMIT = 30_000;
/** Number of retries when the connection to the database is lost during a migration. */
const OUTAGES = 5;
const FOLDER = join(import.meta.dirname, 'migrations');
/** Lock timeout: while a migration waits for a table lock, all other queries on the table queue behind it. */
const LOCK_MS = 1_000;
const OLDEST_POSTGRES = 15;
const LOCK_TRIES = 100;
/** Advisory lock (an arbitrary number) that lets one process migrate at a time. */
const MIGRATION_LOCK = 7_605_662;

/** Waits for the database and migrates it to the current schema. Any number of processes may call this concurrently. */
export async function migrateDatabase(address = directAddress(), migrationsFolder = FOLDER): Promise<void> {
  for (let tries = OUTAGES; ; tries--) {
    const client = await connectWhenReady(address);
    try {
      await checkDatabase(client);
      return await migrate(client, migrationsFolder);
    } catch (error) {
      const { code, message } = asTold(error);
      if (code === NOT_ALLOWED)
        throw new StartError(`The database refuses: ${message}. Make the user of DATABASE_URL its owner.`, {
          cause: error,
        });
      if (tries === 0 || !isOutage(error)) throw error;
    } finally {
      await client.end().catch(() => {});
    }
  }
}

/** Throws a `StartError` for a Postgres that is too old, and for a new database with an encoding other than UTF8. */
async function checkDatabase(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: number; encoding: string; used: boolean }>(
    `select current_setting('server_version_num')::int / 10000 as version, current_setting('server_encoding') as encoding,
      to_regclass('drizzle.__drizzle_migrations') is not null as used`,
  );
  const { version, encoding, used } = rows[0]!;
  if (version < OLDEST_POSTGRES)
    throw new StartError(`Pomona needs Postgres ${OLDEST_POSTGRES} or later; that of DATABASE_URL is ${version}.`);
  if (encoding !== 'UTF8' && !used)
    throw new StartError(
      `The database of DATABASE_URL is in ${encoding}, which cannot hold every prompt. Create one with ENCODING 'UTF8'.`,
    );
}

/** The error of Postgres, which drizzle wraps. */
const asTold = (error: unknown) => ((error as Error).cause ?? error) as pg.DatabaseError;

async function migrate(client: pg.Client, migrationsFolder: string): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
  await client.query(`set lock_timeout = ${LOCK_MS}`);
  // one transaction for each migration, so that no migration keeps its table locks while the next one runs
  for (const migration of readMigrationFiles({ migrationsFolder })) await apply(migration, client);
}

/** Applies a migration. On a lock timeout, its transaction is rolled back and retried after a pause. */
async function apply(migration: MigrationMeta, client: pg.Client, tries = LOCK_TRIES): Promise<void> {
  const dialect = new PgDialect();
  try {
    await dialect.migrate([migration], new NodePgSession(client, dialect, undefined), { migrationsFolder: FOLDER });
  } catch (error) {
    if (asTold(error).code !== LOCK_NOT_AVAILABLE || tries === 1) throw error;
    await pause(LOCK_MS);
    await apply(migration, client, tries - 1);
  }
}

async function connectWhenReady(address: DatabaseAddress): Promise<pg.Client> {
  const begun = Date.now();
  for (let tries = 1; ; tries++) {
    try {
      return await openConnection(address, { name: 'pomona-migrate' });
    } catch (cause) {
      if (!isTemporary(cause) || Date.now() - begun > READY_LIMIT) {
        throw new StartError(
          `The database does not answer: ${messageOf(cause)}. Check DATABASE_URL and that Postgres runs.`,
          { cause },
        );
      }
      if (tries === 1) log().info({ reason: messageOf(cause) }, 'waiting for the database');
      await pause(200);
    }
  }
}

/** Whether an error may pass: not a wrong password, name or privilege, but a server that starts, stops or is full. */
function isTemporary(error: unknown): boolean {
  const { code } = error as { code?: string };
  return !code || !/^(28|3D|42)/.test(code);
}
