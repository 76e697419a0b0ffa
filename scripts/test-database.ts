import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { databaseAddress } from '#lib/db/address';
import { startEmbedded } from '#lib/db/embedded';
import { migrateDatabase } from '#lib/db/migrate';
import { TEMPLATE } from '#lib/db/test-database';

/** Global setup of the unit tests: starts an embedded Postgres with the migrated template of the tests' databases. */
export default async function startTestDatabase(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'pomona-test-'));
  // when run as root, Postgres runs as another user, which must be able to traverse the folder
  await chmod(folder, 0o711);
  process.env.DATA_DIR = folder;
  delete process.env.DATABASE_URL;
  const database = await startEmbedded();
  const address = databaseAddress();
  const client = new pg.Client(address);
  await client.connect();
  await client.query(`create database ${TEMPLATE}`);
  await client.end();
  await migrateDatabase({ ...address, database: TEMPLATE });
  project.provide('testServer', { host: String(address.host), port: Number(address.port), user: String(address.user) });
  return async () => {
    await database.stop();
    await rm(folder, { recursive: true });
  };
}
