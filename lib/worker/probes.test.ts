import { expect, test } from 'vitest';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { refreshDocuments } from '#lib/documents/documents';
import { singleton } from '#lib/singleton';
import { startProbes } from '#lib/worker/probes';
import { entryOf, scriptedEngine } from '#lib/worker/scripted-test-engine';

await useOwnDatabase();
process.env.LOG_LEVEL = 'silent';

test('a process that stops waits for no server that keeps silent, and writes nothing of it', async () => {
  const engine = scriptedEngine();
  const { promise: asked, resolve: hear } = Promise.withResolvers<void>();
  engine.probe = () => (hear(), new Promise(() => undefined));
  const known = singleton('engines.known', () => ({}));
  Object.assign(known, { documents: await refreshDocuments(), engines: [entryOf(engine, 'z_image')] });
  const probes = startProbes();
  await asked;
  await probes.stop();
  expect((await pool().query('select ok, detail from servers')).rows).toEqual([{ ok: false, detail: null }]);
});
