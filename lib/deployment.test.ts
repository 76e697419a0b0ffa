import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { adoptDeployment, filesSince, requireSameDeployment } from '#lib/deployment';
import { parseEnv } from '#lib/env';
import { newMediaKey } from '#lib/storage/media-key';
import { StartError } from '#lib/start-error';
import { startS3Server } from '#lib/storage/s3-test-server';
import { storage } from '#lib/storage/store';
import { createUploadTicket } from '#lib/uploads/upload-ticket';
import { singletons } from '#lib/singleton';

await useOwnDatabase();

const folder = () => mkdtempSync(join(tmpdir(), 'pomona-deployment-'));

/** Makes the rest of the test run as another process with these settings. */
function becomeProcess(settings: Record<string, string>): void {
  for (const name of ['storage', 'secret.fingerprint', 'secret.media']) singletons.delete(name);
  singletons.set('env', parseEnv({ DATABASE_URL: process.env.DATABASE_URL, ...settings }));
}

beforeEach(() => pool().query(`delete from settings where name = 'deployment'`));

test('processes that share a DATA_DIR are one deployment, even when several start at the same time', async () => {
  const DATA_DIR = folder();
  becomeProcess({ DATA_DIR });
  await Promise.all(Array.from({ length: 4 }, requireSameDeployment));
  becomeProcess({ DATA_DIR });
  await requireSameDeployment();
});

test('a process that shares nothing but the database is refused, with a message that names the settings to share', async () => {
  becomeProcess({ DATA_DIR: folder() });
  await requireSameDeployment();
  becomeProcess({ DATA_DIR: folder() });
  const refused = expect(requireSameDeployment()).rejects;
  await refused.toThrow('a different store of media and a different secret key');
  await expect(requireSameDeployment()).rejects.toThrow(/STORAGE_URL.*SECRET_KEY.*deployment adopt/);
});

test('processes with different DATA_DIRs are one deployment only if they share both store and secret key', async () => {
  const shared = { STORAGE_URL: `file://${folder()}`, SECRET_KEY: 'k'.repeat(32) };
  becomeProcess({ ...shared, DATA_DIR: folder() });
  await requireSameDeployment();
  becomeProcess({ ...shared, DATA_DIR: folder() });
  await requireSameDeployment();
  becomeProcess({ ...shared, SECRET_KEY: 'l'.repeat(32), DATA_DIR: folder() });
  await expect(requireSameDeployment()).rejects.toThrow('has a different secret key than');
  becomeProcess({ SECRET_KEY: shared.SECRET_KEY, DATA_DIR: folder() });
  await expect(requireSameDeployment()).rejects.toThrow('has a different store of media than');
});

test('a store that cannot be used is reported with the name of its setting', async () => {
  const server = await startS3Server();
  onTestFinished(() => server.close());
  const DATA_DIR = folder();
  const key = { AWS_ACCESS_KEY_ID: 'wrong', AWS_SECRET_ACCESS_KEY: 'wrong' };
  becomeProcess({ DATA_DIR, ...key, STORAGE_URL: await server.makeBucket() });
  const refused = await requireSameDeployment().catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(StartError);
  expect((refused as Error).message).toMatch(/^The store of STORAGE_URL cannot be used: .*403.*InvalidAccessKeyId/);
  const GOOGLE_APPLICATION_CREDENTIALS = join(DATA_DIR, 'nope');
  becomeProcess({ DATA_DIR, STORAGE_URL: 'gcs://bucket', GOOGLE_APPLICATION_CREDENTIALS });
  const unknown = await requireSameDeployment().catch((error: unknown) => error);
  expect(unknown).toBeInstanceOf(StartError);
  expect((unknown as Error).message).toMatch(/^GOOGLE_APPLICATION_CREDENTIALS .*ENOENT/);
});

test('adoptDeployment accepts a changed store and secret key', async () => {
  becomeProcess({ DATA_DIR: folder() });
  await requireSameDeployment();
  becomeProcess({ DATA_DIR: folder() });
  await adoptDeployment();
  await requireSameDeployment();
});

test('the deployment record in the database does not contain the secret key', async () => {
  const SECRET_KEY = 'a key that nobody may read anywhere';
  becomeProcess({ DATA_DIR: folder(), SECRET_KEY });
  await requireSameDeployment();
  const { rows } = await pool().query(`select value::text as text from settings where name = 'deployment'`);
  expect(rows[0].text).not.toContain(SECRET_KEY);
});

const putFile = () => storage().put(newMediaKey('result', 'image/png'), Buffer.from('a picture'), 'image/png');
const row = async () => (await pool().query(`select value from settings where name = 'deployment'`)).rows[0]?.value;

test('a new database refuses a store that holds media until it adopts it, and ignores files not made by Pomona', async () => {
  becomeProcess({ DATA_DIR: folder() });
  await storage().put('pictures/holiday.png', Buffer.from('somebody else’s'), 'image/png');
  await requireSameDeployment();
  await pool().query(`delete from settings where name = 'deployment'`);
  await putFile();
  await expect(requireSameDeployment()).rejects.toThrow(/does not know the media.*dump.*STORAGE_URL.*deployment adopt/);
  expect(await row()).toBeUndefined();
  await adoptDeployment();
  await requireSameDeployment();
});

test('a database that already contains an upload is not treated as new when its store holds media', async () => {
  becomeProcess({ DATA_DIR: folder() });
  await putFile();
  const { id } = await createAccount({ email: 'ana@example.com' });
  await createUploadTicket(id, 'image/png');
  await requireSameDeployment();
  await pool().query('delete from accounts');
});

test('media stored by a process that starts at the same time do not count as unknown', async () => {
  becomeProcess({ DATA_DIR: folder() });
  vi.spyOn(storage(), 'list').mockImplementationOnce(async function* () {
    await requireSameDeployment();
    yield { key: newMediaKey('result', 'image/png'), bytes: 1, modifiedAt: new Date() };
  });
  await requireSameDeployment();
});

test('a database loaded from a dump is refused until adopted; a record of an older version gets its identity', async () => {
  becomeProcess({ DATA_DIR: folder() });
  await requireSameDeployment();
  const { database, table, since } = await row();
  await putFile();
  await pool().query(`update settings set value = value - 'database' - 'table' - 'since' where name = 'deployment'`);
  await requireSameDeployment();
  expect(await row()).toMatchObject({ database, table });
  expect(await row()).not.toHaveProperty('since');
  await pool().query(
    `update settings set value = value || '{"database": "the one that was dumped"}' where name = 'deployment'`,
  );
  await expect(requireSameDeployment()).rejects.toThrow(/loaded from a dump.*copy.*deployment adopt/);
  await adoptDeployment();
  await requireSameDeployment();
  expect((await row()).since > since).toBe(true);
});

test('a database into which a dump was loaded again is refused too, and claims no files until adopted', async () => {
  becomeProcess({ DATA_DIR: folder() });
  await requireSameDeployment();
  const store = await storage().identity();
  const known = async () => (await pool().query(filesSince('$1'), [store])).rows;
  expect(await known()).toHaveLength(1);
  await pool().query(`
    create table loaded (like settings including all);
    insert into loaded select * from settings;
    drop table settings;
    alter table loaded rename to settings`);
  expect(await known()).toEqual([]);
  await expect(requireSameDeployment()).rejects.toThrow('loaded from a dump');
  await adoptDeployment();
  await requireSameDeployment();
  expect(await known()).toHaveLength(1);
});
