import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accountWith } from '#lib/accounts/test-callers';
import { db, pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { refreshDocuments, writeDocument } from '#lib/documents/documents';
import { ENGINES_DOCUMENT } from '#lib/engines/engines';
import { readLiveLoads } from '#lib/life/live-loads';
import { renderMetrics } from '#lib/http/scrape';
import { claim, submit } from '#lib/life/test-requests';

await useOwnDatabase();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-loads-'));
process.env.LOG_LEVEL = 'silent';

const offer = async (...ids: string[]) => {
  const engines = ids.map(id => ({
    id,
    type: 'cog',
    servers: [{ id: 'one', url: 'http://10.0.0.7:5000' }],
    serves: [{ architecture: 'z_image' }],
  }));
  await db().transaction(tx => writeDocument(ENGINES_DOCUMENT, JSON.stringify({ engines }), tx));
  await refreshDocuments();
};

test('a waiting request counts for the engine that serves it now, and a running one for the engine that runs it', async () => {
  await offer('old');
  const caller = await accountWith(1_000);
  const ids = [await submit(caller), await submit(caller), await submit(caller)];
  await claim(ids[0]!, { server: 'old/one', places: 4 });
  await pool().query(`update requests set created_at = now() - interval '1 minute' where id = $1`, [ids[1]]);
  await offer('new');
  const loads = await readLiveLoads();
  expect(loads.toSorted((a, b) => b.queued - a.queued)).toEqual([
    { engine: 'new', queued: 2, in_progress: 0, oldest: expect.closeTo(60, -1) },
    { engine: 'old', queued: 0, in_progress: 1, oldest: null },
  ]);
  // accepted for different engines; the result must not depend on the order of the rows
  const rest = ids.slice(1);
  for (const oldest of rest) {
    await pool().query(
      `update requests set engine = id, created_at = now() - case id when $1 then 2 else 1 end * interval '1 minute' where id = any($2)`,
      [oldest, rest],
    );
    expect(await readLiveLoads()).toContainEqual(
      expect.objectContaining({ engine: 'new', queued: 2, oldest: expect.closeTo(120, -1) }),
    );
  }
  await pool().query(`update requests set engine = 'old'`);
  const { text } = await renderMetrics();
  expect(text).toContain('pomona_queue_depth{engine="new",status="queued"} 2\n');
  expect(text).toContain('pomona_queue_depth{engine="old",status="in_progress"} 1\n');
  expect(text).toMatch(/pomona_queue_oldest_seconds\{engine="new"\} 1[12]\d/);
  // no engine is left to serve the variant
  await offer();
  expect((await readLiveLoads()).map(({ engine }) => engine)).toEqual(['old']);
});
