import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { adoptDeployment, requireSameDeployment } from '#lib/deployment';
import { parseEnv } from '#lib/env';

await useOwnDatabase();

const folder = () => mkdtempSync(join(tmpdir(), 'pomona-deployment-'));

/** What follows is another process, with these settings. */
function becomeProcess(settings: Record<string, string>): void {
  const store = globalThis as Record<symbol, unknown>;
  for (const name of ['storage', 'secret.fingerprint', 'secret.media']) delete store[Symbol.for(`pomona.${name}`)];
  store[Symbol.for('pomona.env')] = parseEnv({ DATABASE_URL: process.env.DATABASE_URL, ...settings });
}

beforeEach(() => pool().query(`delete from settings where name = 'deployment'`));

test('processes with one DATA_DIR are one deployment, however many start first', async () => {
  const DATA_DIR = folder();
  becomeProcess({ DATA_DIR });
  await Promise.all(Array.from({ length: 4 }, requireSameDeployment));
  becomeProcess({ DATA_DIR });
  await requireSameDeployment();
});

test('a machine that shares nothing but the database is refused, and told what to share', async () => {
  becomeProcess({ DATA_DIR: folder() });
  await requireSameDeployment();
  becomeProcess({ DATA_DIR: folder() });
  const refused = expect(requireSameDeployment()).rejects;
  await refused.toThrow('another store of media and another secret key');
  await expect(requireSameDeployment()).rejects.toThrow(/STORAGE_URL.*SECRET_KEY.*deployment adopt/);
});

test('machines that share store and key are one deployment; each of them alone is not enough', async () => {
  const shared = { STORAGE_URL: `file://${folder()}`, SECRET_KEY: 'k'.repeat(32) };
  becomeProcess({ ...shared, DATA_DIR: folder() });
  await requireSameDeployment();
  becomeProcess({ ...shared, DATA_DIR: folder() });
  await requireSameDeployment();
  becomeProcess({ ...shared, SECRET_KEY: 'l'.repeat(32), DATA_DIR: folder() });
  await expect(requireSameDeployment()).rejects.toThrow('has another secret key than');
  becomeProcess({ SECRET_KEY: shared.SECRET_KEY, DATA_DIR: folder() });
  await expect(requireSameDeployment()).rejects.toThrow('has another store of media than');
});

test('what was changed on purpose is adopted', async () => {
  becomeProcess({ DATA_DIR: folder() });
  await requireSameDeployment();
  becomeProcess({ DATA_DIR: folder() });
  await adoptDeployment();
  await requireSameDeployment();
});

test('the database holds no key', async () => {
  const SECRET_KEY = 'a key that nobody may read anywhere';
  becomeProcess({ DATA_DIR: folder(), SECRET_KEY });
  await requireSameDeployment();
  const { rows } = await pool().query(`select value::text as text from settings where name = 'deployment'`);
  expect(rows[0].text).not.toContain(SECRET_KEY);
});
