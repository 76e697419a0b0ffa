import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { startSweeps } from '#lib/worker/sweeps';

await useOwnDatabase();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-sweeps-'));
process.env.LOG_LEVEL = 'silent';

test('after an outage of the database nobody is taken for dead, and no file for lost, before all have written what they hold', async () => {
  let isSteady = false;
  const sweeps = startSweeps(() => isSteady);
  const done = async () => {
    const { rows } = await pool().query<{ name: string }>('select name from schedules');
    return rows.map(({ name }) => name);
  };
  const held = ['requests of workers that are gone', 'files without a row'];
  await expect.poll(done, { timeout: 10_000 }).toContain('expired media');
  expect((await done()).filter(name => held.includes(name))).toEqual([]);
  isSteady = true;
  await expect.poll(done, { timeout: 10_000 }).toEqual(expect.arrayContaining(held));
  await sweeps.stop();
});
