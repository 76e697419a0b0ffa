import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { accountWith } from '#lib/accounts/test-callers';
import { db, pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { refreshDocuments, writeDocument } from '#lib/documents/documents';
import { ENGINES_DOCUMENT } from '#lib/engines/engines';
import { newId } from '#lib/ids';
import { claim, submit } from '#lib/life/test-requests';
import { listEngines } from '#lib/operator/list-engines';
import { markUnreachable, readStanding, sharedServers } from '#lib/worker/servers';

await useOwnDatabase();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-servers-'));
process.env.LOG_LEVEL = 'silent';

const engine = (id: string, type: string, url: string, more: object) => ({
  id,
  type,
  servers: [{ id: 'one', url }],
  serves: [{ architecture: 'z_image', ...more }],
});
const ENGINES = [
  engine('comfyui', 'comfyui', 'http://10.0.0.7:8188', {}),
  engine('openai', 'openai', 'http://10.0.0.7:8000', { call: 'images' }),
  engine('cog', 'cog', 'http://10.0.0.7:5000', {}),
  engine('hosted-openai', 'openai', 'https://api.openai.com', { call: 'images' }),
  engine('replicate', 'replicate', 'https://api.replicate.com', { model: 'a/b' }),
  engine('fal', 'fal', 'https://queue.fal.run', { model: 'a/b' }),
];
async function write(engines: object[]): Promise<void> {
  await db().transaction(tx => writeDocument(ENGINES_DOCUMENT, JSON.stringify({ engines }), tx));
  await refreshDocuments();
}
await write(ENGINES);

test('only servers that load models have a loaded model, for placement and for the operator', async () => {
  for (const { id } of ENGINES)
    await pool().query(
      `insert into servers (id, engine, places, ok, loaded, loaded_at) values ($1, $2, 2, true, 'z_image/z-image-turbo', now())`,
      [`${id}/one`, id],
    );
  const { standing } = await readStanding(sharedServers());
  const loading = [...standing].flatMap(([id, { loaded }]) => (loaded === null ? [] : [id]));
  expect(loading).toEqual(['comfyui/one', 'openai/one']);
  const { data } = await listEngines();
  expect(data.flatMap(({ servers }) => servers.flatMap(({ id, loaded }) => (loaded ? [id] : [])))).toEqual(loading);
});

test('the age of a loaded model is measured by the clock of the database', async () => {
  await pool().query(`update servers set loaded_at = now() where id = 'comfyui/one'`);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 });
  onTestFinished(() => void vi.useRealTimers());
  const { standing } = await readStanding(sharedServers());
  expect(Date.now() - standing.get('comfyui/one')!.loadedAt).toBeLessThan(300_000);
});

test('the busy time of a server is that of its longest-running request, without those being stored', async () => {
  const caller = await accountWith(1_000);
  const read = async () => (await readStanding(sharedServers())).standing.get('comfyui/one')!;
  expect(await read()).toMatchObject({ busy: 0, longestMs: 0 });
  for (const secondsAgo of [90, 10]) {
    const id = await submit(caller);
    await claim(id, { server: 'comfyui/one', places: 2 });
    await pool().query(`update requests set started_at = now() - $2 * interval '1 second' where id = $1`, [
      id,
      secondsAgo,
    ]);
  }
  const { busy, longestMs } = await read();
  expect(busy).toBe(2);
  expect(longestMs).toBeGreaterThanOrEqual(90_000);
  // a request whose output is being stored does not count
  await pool().query(`update requests set made_at = now() where started_at < now() - interval '1 minute'`);
  const after = await read();
  expect(after.busy).toBe(1);
  expect(after.longestMs).toBeLessThan(90_000);
  // more outputs being stored than places do count
  await claim(await submit(caller), { server: 'comfyui/one', places: 2 });
  await pool().query(`update requests set made_at = now()`);
  expect(await read()).toMatchObject({ busy: 1, longestMs: 0 });
});

test('a server marked as unreachable gets no work until it answers again', async () => {
  const taking = async () => (await readStanding(sharedServers())).servers.map(({ engine }) => engine);
  const [first, ...others] = ENGINES.map(({ id }) => id);
  await markUnreachable(`${first}/one`, 'connection refused');
  expect(await taking()).toEqual(others);
  await pool().query('update servers set ok = true');
  expect(await taking()).toEqual([first, ...others]);
});

test('a server gets no work for a model that it lacks something for', async () => {
  const lines = async () => (await readStanding(sharedServers())).servers.map(server => server.lines);
  const [all, ...others] = await lines();
  await pool().query(`update servers set lacks = $1 where id = 'comfyui/one'`, [[all![0]]]);
  expect(await lines()).toEqual([all!.slice(1), ...others]);
});

test('a server inside a worker is never marked as unreachable, since nothing would probe it again', async () => {
  const worker = newId();
  await pool().query(`insert into workers (id, host, pid) values ($1, 'here', 1)`, [worker]);
  await pool().query(`insert into servers (id, engine, worker, places) values ('preview/here', 'preview', $1, 2)`, [
    worker,
  ]);
  await markUnreachable('preview/here', '3 jobs in a row failed here');
  expect((await pool().query(`select ok from servers where id = 'preview/here'`)).rows).toEqual([{ ok: true }]);
});

test('a paused engine has no servers that take work', async () => {
  const [paused, ...others] = ENGINES;
  await write([{ ...paused, paused: true }, ...others]);
  expect(sharedServers().map(({ engine }) => engine)).toEqual(others.map(({ id }) => id));
});
