import { expect, test } from 'vitest';
import { readBalance } from '#lib/accounts/ledger';
import { accountWith } from '#lib/accounts/test-callers';
import { refreshAbilities } from '#lib/catalog/engine-abilities';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { refreshDocuments } from '#lib/documents/documents';
import { lineOf, servingOf } from '#lib/engines/serving';
import { cancelGeneration } from '#lib/generations/cancel';
import { getGeneration } from '#lib/generations/read';
import { submitGeneration } from '#lib/generations/submit';
import { newId } from '#lib/ids';
import { begin, commitWhenWaitedFor } from '#lib/life/test-requests';
import { singleton } from '#lib/singleton';
import { failUnserved } from '#lib/worker/fail-unserved';
import { entryOf, scriptedEngine } from '#lib/worker/scripted-test-engine';

await useOwnDatabase();
process.env.LOG_LEVEL = 'silent';

const ARCHITECTURE = 'z_image';
const GEMS = 1_000;

/** Runs the sweep several times; returns the number of failed requests. */
async function look(times: number): Promise<number> {
  let failed = 0;
  for (let n = 0; n < times; n++) failed += await failUnserved();
  return failed;
}

test('a waiting request fails when its line was unserved for ten minutes, however long it waited before', async () => {
  const known = singleton('engines.known', () => ({}));
  Object.assign(known, { documents: await refreshDocuments(), engines: [entryOf(scriptedEngine(), ARCHITECTURE)] });
  const answered = (at: string) => pool().query(`update servers set answered_at = ${at}`);
  await pool().query(
    `insert into servers (id, engine, places, answered_at) values ('scripted/one', 'scripted', 1, now())`,
  );
  // a worker's own server is not in any settings
  await pool().query(
    `with other as (insert into workers (id, host, pid) values (gen_random_uuid(), 'here', 1) returning id)
    insert into servers (id, engine, worker, places) select 'builtin/1', 'builtin', id, 1 from other`,
  );
  await refreshAbilities();
  const caller = await accountWith(GEMS);
  const body = () => Promise.resolve({ prompt: 'dusk' });
  const submit = () => submitGeneration({ caller, architectureId: ARCHITECTURE, body });
  const [{ generation }, { generation: held }, { generation: over }] = [await submit(), await submit(), await submit()];
  await cancelGeneration(caller.accountId, over.id);
  expect(generation.line).toMatch(ARCHITECTURE);
  await pool().query(`update requests set updated_at = now() - interval '1 hour'`);
  await pool().query('update requests set worker = $1 where id = $2', [newId(), held.id]);

  // no server of the engine has answered yet
  await answered('null');
  expect(await look(10)).toBe(0);
  await answered('now()');
  expect(await look(1)).toBe(0);
  await answered('null');
  expect(await look(10)).toBe(0);
  expect(await getGeneration(caller.accountId, generation.id)).toMatchObject({ finishedAt: null, refunded: false });
  // another process has an engine that this process does not know
  await pool().query(`insert into servers (id, engine, places) values ('comfyui/server1', 'comfyui', 1)`);
  expect(await look(3)).toBe(0);
  await pool().query(`delete from servers where engine = 'comfyui'`);
  expect(await look(1)).toBe(1);
  expect(await getGeneration(caller.accountId, generation.id)).toMatchObject({
    status: 'failed',
    refunded: true,
    errorMessage: expect.stringContaining('Choose another model'),
  });
  // claimed requests continue, and final ones are unchanged
  expect(await getGeneration(caller.accountId, held.id)).toMatchObject({ finishedAt: null, refunded: false });
  expect(await readBalance(caller.accountId)).toBe(GEMS - held.gems - over.gems);
});

test('a request that a worker claims while it is about to fail as unserved continues', async () => {
  const caller = await accountWith(GEMS);
  const body = () => Promise.resolve({ prompt: 'dusk' });
  const { generation } = await submitGeneration({ caller, architectureId: ARCHITECTURE, body });
  await pool().query(`update requests set line = 'nobody/nothing' where id = $1`, [generation.id]);
  await look(10);
  const holding = await begin();
  await holding.query('select from accounts where id = $1 for update', [caller.accountId]);
  const looked = look(1);
  await holding.query('update requests set worker = $1 where id = $2', [newId(), generation.id]);
  await commitWhenWaitedFor(holding);
  await looked;
  expect(await getGeneration(caller.accountId, generation.id)).toMatchObject({ finishedAt: null, refunded: false });
});

test('a request for a model that left the catalog fails, even if an engine still names the model', async () => {
  const engine = entryOf(scriptedEngine(), ARCHITECTURE);
  Object.assign(
    singleton('engines.known', () => ({})),
    { documents: await refreshDocuments(), engines: [engine] },
  );
  const caller = await accountWith(GEMS);
  const body = () => Promise.resolve({ prompt: 'dusk' });
  const { generation } = await submitGeneration({ caller, architectureId: ARCHITECTURE, body });
  await pool().query('update servers set answered_at = now()');
  await refreshAbilities();
  const gone = 'z_image-of-before';
  expect(servingOf(ARCHITECTURE, gone)).toMatchObject({ engine: 'scripted' });
  await pool().query('update requests set model_id = $2, line = $3 where id = $1', [
    generation.id,
    gone,
    lineOf(ARCHITECTURE, gone),
  ]);
  expect(await look(11)).toBeGreaterThan(0);
  expect(await getGeneration(caller.accountId, generation.id)).toMatchObject({ status: 'failed', refunded: true });
});
