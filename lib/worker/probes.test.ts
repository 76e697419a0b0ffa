import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { refreshDocuments } from '#lib/documents/documents';
import type { EngineEntry } from '#lib/engines/engines-file';
import { WAITING_CHANNEL } from '#lib/life/doorbell';
import { begin, hear } from '#lib/life/test-requests';
import { singleton } from '#lib/singleton';
import { startProbes } from '#lib/worker/probes';
import { entryOf, scriptedEngine } from '#lib/worker/scripted-test-engine';

await useOwnDatabase();
process.env.LOG_LEVEL = 'silent';

const engine = scriptedEngine();
beforeAll(async () => {
  const known = singleton('engines.known', () => ({}));
  Object.assign(known, { documents: await refreshDocuments(), engines: [entryOf(engine, 'z_image')] });
});

test('a stopping process does not wait for a silent server, and records nothing about it', async () => {
  const { promise: asked, resolve: hear } = Promise.withResolvers<void>();
  engine.probe = () => (hear(), new Promise(() => undefined));
  const probes = startProbes();
  await asked;
  await probes.stop();
  expect((await pool().query('select ok, detail from servers')).rows).toEqual([{ ok: false, detail: null }]);
});

test.each([
  [
    { ok: true, models: ['a\0.safetensors', 'b\ud800.safetensors'], version: '1\0' },
    { ok: true, models: ['a.safetensors', 'b\ufffd.safetensors'], version: '1' },
  ],
  [
    { ok: false, models: [], detail: 'GET /queue answered 502: \0' },
    { ok: false, detail: 'GET /queue answered 502: ' },
  ],
])('a probe result with characters that the database refuses is still recorded: %j', async (said, written) => {
  engine.probe = async () => said;
  await pool().query('delete from servers');
  const probes = startProbes();
  onTestFinished(() => probes.stop());
  await expect.poll(async () => (await pool().query('select * from servers')).rows).toMatchObject([written]);
});

test('a server that stops answering keeps its recorded lacks', async () => {
  await pool().query('delete from servers');
  const lacks = [{ architecture: 'z_image', modelId: 'z_image', names: ['a.safetensors'] }];
  for (const said of [
    { ok: true, models: [], lacks },
    { ok: false, models: [] },
  ]) {
    engine.probe = async () => said;
    await pool().query(`update servers set checked_at = 'epoch'`);
    const probes = startProbes();
    onTestFinished(() => probes.stop());
    await expect
      .poll(async () => (await pool().query('select ok, lacks, missing from servers')).rows)
      .toEqual([{ ok: said.ok, lacks: ['z_image/z_image'], missing: lacks }]);
    await probes.stop();
  }
});

test('the time of the last answer of a silent server is kept, and a server that answers wakes waiting processes', async () => {
  await pool().query('delete from servers');
  const say = async (ok: boolean) => {
    engine.probe = async () => ({ ok, models: [] });
    const probes = startProbes();
    onTestFinished(() => probes.stop());
    await expect.poll(async () => (await pool().query('select ok from servers')).rows).toEqual([{ ok }]);
    await probes.stop();
  };
  const { told, listener } = await hear(WAITING_CHANNEL);
  onTestFinished(() => listener.close());
  await say(true);
  await expect.poll(() => told).toContain('');
  // an unchanged result is not written again
  const asked = new Date('2026-02-01');
  await pool().query(`update servers set answered_at = '2026-01-01', checked_at = $1`, [asked]);
  await say(false);
  expect((await pool().query('select answered_at from servers')).rows).toEqual([{ answered_at: asked }]);
});

test('a removed server loses its row and its connections, while a server inside a worker is kept', async () => {
  const known = singleton<{ engines: EngineEntry[] }>('engines.known', () => ({ engines: [] }));
  const before = known.engines;
  onTestFinished(() => void Object.assign(known, { engines: before }));
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  const gone = { ...scriptedEngine(), probe: async () => ({ ok: true, models: [] }), close: async () => close() };
  known.engines = [{ ...entryOf(gone, 'z_image'), id: 'gone' }];
  await pool().query(
    `with other as (insert into workers (id, host, pid) values (gen_random_uuid(), 'here', 1) returning id)
    insert into servers (id, engine, worker, places) select 'builtin/1', 'builtin', id, 1 from other`,
  );
  const probes = startProbes();
  onTestFinished(() => probes.stop());
  const rows = async () => (await pool().query(`select ok from servers where engine = 'gone'`)).rows;
  await expect.poll(rows).toEqual([{ ok: true }]);
  known.engines = before;
  await closed;
  await expect.poll(rows).toEqual([]);
  expect((await pool().query('select engine from servers where worker is not null')).rows).toEqual([
    { engine: 'builtin' },
  ]);
  await pool().query('delete from workers');
});

test('a probe overwrites what another worker recorded about a server', async () => {
  await pool().query('delete from servers');
  engine.probe = async () => ({ ok: true, models: ['a.safetensors'] });
  const expectItsWords = async () => {
    const probes = startProbes();
    onTestFinished(() => probes.stop());
    await expect
      .poll(async () => (await pool().query('select models, lacks from servers')).rows)
      .toEqual([{ models: ['a.safetensors'], lacks: [] }]);
    await probes.stop();
  };
  await expectItsWords();
  await pool().query(`update servers set models = '{}', lacks = '{z_image/z_image}', checked_at = 'epoch'`);
  await expectItsWords();
});

test('a probe does not wait for a server row that a claim has locked, which would cause a deadlock', async () => {
  const known = singleton<{ engines: EngineEntry[] }>('engines.known', () => ({ engines: [] }));
  const before = known.engines;
  onTestFinished(() => void Object.assign(known, { engines: before }));
  const answering = { ...scriptedEngine(), probe: async () => ({ ok: true, models: [] }) };
  known.engines = ['b', 'a'].map(id => ({ ...entryOf(answering, 'z_image'), id }));
  const answered = async () => (await pool().query('select id from servers where ok order by id')).rows;
  const first = startProbes();
  onTestFinished(() => first.stop());
  await expect.poll(answered).toEqual([{ id: 'a/one' }, { id: 'b/one' }]);
  await first.stop();
  await pool().query(`update servers set ok = false, checked_at = 'epoch'`);
  // locks a row, as a claim does
  const giving = await begin();
  onTestFinished(() => giving.end());
  await giving.query(`select from servers where id = 'a/one' for update`);
  const probes = startProbes();
  onTestFinished(() => probes.stop());
  await expect.poll(answered).toEqual([{ id: 'b/one' }]);
  await giving.query(`select from servers where id = 'b/one' for update`);
  await giving.query('commit');
  await expect.poll(answered).toEqual([{ id: 'a/one' }, { id: 'b/one' }]);
});

test('a server from the settings of another process is kept as long as it is probed', async () => {
  const known = singleton<{ engines: EngineEntry[] }>('engines.known', () => ({ engines: [] }));
  const before = known.engines;
  onTestFinished(() => void Object.assign(known, { engines: before }));
  const answering = { ...scriptedEngine(), probe: async () => ({ ok: true, models: [] }) };
  known.engines = [{ ...entryOf(answering, 'z_image'), id: 'comfyui', ofSettings: true }];
  const other = startProbes();
  onTestFinished(() => other.stop());
  const rows = async () => (await pool().query('select id, ok from servers')).rows;
  const kept = { id: 'comfyui/one', ok: true };
  await expect.poll(rows).toMatchObject([kept]);
  await other.stop();

  // the server is due, but only processes that know it probe it
  known.engines = [];
  await pool().query(`update servers set checked_at = now() - interval '30 seconds'`);
  await pool().query(`insert into servers (id, engine, places) values ('gone/one', 'gone', 1)`);
  const probes = startProbes();
  onTestFinished(() => probes.stop());
  await expect.poll(rows).toMatchObject([kept]);
  const { rows: asked } = await pool().query(
    `select checked_at < now() - interval '20 seconds' as before from servers`,
  );
  expect(asked).toEqual([{ before: true }]);
  await pool().query(`update servers set checked_at = now() - interval '2 minutes'`);
  await expect.poll(rows).toEqual([]);

  // servers from the document are the same in all processes
  known.engines = [{ ...entryOf(answering, 'z_image'), id: 'comfyui' }];
  await pool().query(`insert into servers (id, engine, places) values ('comfyui/two', 'comfyui', 1)`);
  await expect.poll(rows).toMatchObject([kept]);
});
