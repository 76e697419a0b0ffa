import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import type { Caller } from '#lib/accounts/callers';
import { accountWith, keyFor } from '#lib/accounts/test-callers';
import { catalog } from '#lib/catalog/catalog';
import { refreshAbilities } from '#lib/catalog/engine-abilities';
import { databaseAddress } from '#lib/db/address';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { refreshDocuments } from '#lib/documents/documents';
import { EngineError } from '#lib/engines/engine';
import { cancelGeneration } from '#lib/generations/cancel';
import { deleteAccount } from '#lib/generations/delete-account';
import { getGeneration } from '#lib/generations/read';
import { submitGeneration } from '#lib/generations/submit';
import { newId } from '#lib/ids';
import { singleton, singletons } from '#lib/singleton';
import { DONE, entryOf, never, scriptedEngine, type ScriptedEngine } from '#lib/worker/scripted-test-engine';
import { startWorker, type Worker } from '#lib/worker/worker';

await useOwnDatabase();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-worker-'));
process.env.LOG_LEVEL = 'silent';

const ARCHITECTURE = 'z_image';
let caller: Caller;
let engine: ScriptedEngine;
let worker: Worker;
/** A separate connection, to inspect the database after a worker stopped and to hold locks. */
const aside = new pg.Client(databaseAddress());
afterAll(() => aside.end());

beforeAll(async () => {
  await aside.connect();
  caller = await accountWith(1_000_000);
});

/** Starts a worker with one shared server and faked intervals, so that it acts only on notifications. */
beforeEach(async () => {
  for (const name of ['db.pool', 'db.drizzle', 'engines.made', 'life.find-submissions', 'generations.by-ids'])
    singletons.delete(name);
  engine = scriptedEngine();
  const known = singleton('engines.known', () => ({}));
  Object.assign(known, { documents: await refreshDocuments(), engines: [entryOf(engine, ARCHITECTURE)] });
  vi.useFakeTimers({ toFake: ['setInterval'] });
  worker = await startWorker();
  // the first look after the start probes the server
  const found = async () => (await pool().query(`select from servers where id = 'scripted/one' and ok`)).rowCount;
  await expect.poll(found).toBe(1);
  await refreshAbilities();
});

afterEach(async () => {
  await worker.stop();
  vi.useRealTimers();
});

async function submit(): Promise<string> {
  const body = () => Promise.resolve({ prompt: 'dusk' });
  return (await submitGeneration({ caller, architectureId: ARCHITECTURE, body })).generation.id;
}

/** Stops the worker; `afterEach` then does not stop it again. */
function stop(): Promise<void> {
  const stopping = worker.stop();
  worker = { stop: () => stopping };
  return stopping;
}

const read = (id: string) => getGeneration(caller.accountId, id);
const calls = () => engine.calls;

test('a cancel ends the run immediately, and then the job at its engine', async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  engine.polls = [signal => never(signal).finally(end)];
  const id = await submit();
  await expect.poll(calls).toContain('poll');
  await cancelGeneration(caller.accountId, id);
  await ended;
  await expect.poll(calls).toContain('cancel');
  await expect.poll(async () => (await pool().query('select from outbox')).rowCount).toBe(0);
  expect(await read(id)).toMatchObject({ status: 'cancelled', result: null });
});

test('an outbox entry of an earlier version, which names no job, takes the job from its request', async () => {
  engine.polls = [never];
  const stopped: string[] = [];
  engine.cancel = async ref => {
    stopped.push(ref.id);
    return 'cancelled';
  };
  const id = await submit();
  await expect.poll(calls).toContain('poll');
  const { engineRef } = await read(id);
  await pool().query(`insert into outbox (consumer, request_id) values ('engine', $1), ('engine', gen_random_uuid())`, [
    id,
  ]);
  await vi.advanceTimersByTimeAsync(2_000);
  await expect.poll(async () => (await pool().query('select from outbox')).rowCount).toBe(0);
  expect(stopped).toEqual([engineRef?.id]);
  await cancelGeneration(caller.accountId, id);
  await expect.poll(() => stopped).toHaveLength(2);
  await expect.poll(async () => (await pool().query('select from outbox')).rowCount).toBe(0);
});

test('deleting an account cancels its jobs at their engine', async () => {
  engine.polls = [never];
  const mine = caller;
  const gone = await createAccount({ email: 'gone@example.com', gems: 1_000 });
  caller = await keyFor(gone.id);
  await submit();
  caller = mine;
  await expect.poll(calls).toContain('poll');
  await deleteAccount(gone, gone.email);
  await expect.poll(calls).toContain('cancel');
});

test('a job left at an unreachable server is cancelled there once the server is back', async () => {
  const known = singleton('engines.known', () => ({}));
  const servers = ['one', 'two'].map(id => ({ id, url: 'http://localhost' }));
  Object.assign(known, { engines: [{ ...entryOf(engine, ARCHITECTURE), servers }] });
  engine.polls = [new EngineError('engine_unavailable', 'connection refused', true), DONE];
  const stopped: string[] = [];
  engine.cancel = async ref => {
    stopped.push(ref.id);
    return 'cancelled';
  };
  const id = await submit();
  await expect.poll(calls).toContain('poll');
  const { engineRef } = await read(id);
  // both servers were just probed, so only the second one, which is still up, is used
  await pool().query('update servers set checked_at = now()');
  await vi.advanceTimersByTimeAsync(2_000);
  await expect.poll(async () => (await read(id)).status).toBe('completed');
  expect(await read(id)).toMatchObject({ server: 'scripted/two' });
  expect(stopped).toEqual([]);
  await pool().query(`update servers set checked_at = 'epoch'`);
  // the outbox may have looked just before the server was up again, so time advances repeatedly
  const stoppedNow = () => vi.advanceTimersByTimeAsync(2_000).then(() => stopped);
  await expect.poll(stoppedNow).toEqual([engineRef?.id]);
});

test('a failed cancel is retried, and other requests are served in the meantime', async () => {
  engine.polls = [never, DONE];
  let deaf = 1;
  const { cancel } = engine;
  engine.cancel = async ref => {
    await cancel(ref);
    if (deaf-- > 0) throw new Error('connection refused');
    return 'cancelled';
  };
  const id = await submit();
  await expect.poll(calls).toContain('poll');
  await cancelGeneration(caller.accountId, id);
  await expect.poll(calls).toContain('cancel');
  const other = await submit();
  await expect.poll(async () => (await read(other)).status).toBe('completed');
  await expect.poll(() => calls().filter(call => call === 'cancel')).toHaveLength(2);
  await expect.poll(async () => (await pool().query('select from outbox')).rowCount).toBe(0);
});

test('an engine that does not answer a cancel delays no other cancel', async () => {
  engine.polls = [never];
  const { promise: silence, resolve: speak } = Promise.withResolvers<void>();
  const { cancel } = engine;
  engine.cancel = async ref => {
    await cancel(ref);
    await silence;
    return 'cancelled';
  };
  for (const nth of [1, 2]) {
    const id = await submit();
    await expect.poll(() => calls().filter(call => call === 'poll')).toHaveLength(nth);
    await cancelGeneration(caller.accountId, id);
    await expect.poll(() => calls().filter(call => call === 'cancel')).toHaveLength(nth);
  }
  speak();
  await expect.poll(async () => (await pool().query('select from outbox')).rowCount).toBe(0);
});

test('unanswered cancels at one server do not delay those at another', async () => {
  const known = singleton('engines.known', () => ({}));
  const servers = ['one', 'two'].map(id => ({ id, url: 'http://localhost' }));
  Object.assign(known, { engines: [{ ...entryOf(engine, ARCHITECTURE), servers }] });
  const { promise: silence, resolve: speak } = Promise.withResolvers<void>();
  const asked: string[] = [];
  engine.cancel = async ({ id }) => {
    asked.push(id);
    if (id === 'one') await silence;
    return 'cancelled';
  };
  const owe = async (server: string, times: number) => {
    const job = { server: `scripted/${server}`, ref: { id: server } };
    await pool().query(
      `insert into outbox (consumer, request_id, job) select 'engine', gen_random_uuid(), $1 from generate_series(1, $2)`,
      [job, times],
    );
  };
  await owe('one', 30);
  await expect.poll(() => asked).toContain('one');
  await owe('two', 3);
  await expect.poll(() => asked.filter(id => id === 'two')).toHaveLength(3);
  expect(asked.filter(id => id === 'one')).toHaveLength(4);
  speak();
  await expect.poll(async () => (await pool().query('select from outbox')).rowCount).toBe(0);
  expect(asked).toHaveLength(33);
});

test('an unanswered cancel stays in the outbox when the worker stops, even on its last attempt', async () => {
  engine.polls = [never];
  const { cancel } = engine;
  engine.cancel = async ref => {
    await cancel(ref);
    return new Promise(() => undefined);
  };
  const id = await submit();
  await expect.poll(calls).toContain('poll');
  const job = { server: 'scripted/one', ref: { id: 'before' } };
  await pool().query(`insert into outbox (consumer, request_id, job, attempts) values ('engine', $1, $2, 9)`, [
    id,
    job,
  ]);
  await cancelGeneration(caller.accountId, id);
  await expect.poll(calls).toContain('cancel');
  await stop();
  expect((await aside.query('select attempts from outbox order by id')).rows).toEqual([
    { attempts: 10 },
    { attempts: 0 },
  ]);
  await aside.query('delete from outbox');
});

test('a request that is to be retried later waits until then, and delays no other', async () => {
  await pool().query(`update servers set ok = false where id = 'scripted/one'`);
  const later = await submit();
  await pool().query(`update requests set not_before = now() + interval '1 hour' where id = $1`, [later]);
  await pool().query(`update servers set ok = true where id = 'scripted/one'`);
  const next = await submit();
  await expect.poll(() => read(next)).toMatchObject({ status: 'completed' });
  expect(await read(later)).toMatchObject({ claim: 0, worker: null });
  await cancelGeneration(caller.accountId, later);
});

test('the catalog of a worker follows changes of engine abilities and of architecture states', async () => {
  const known = () => ({ drawn: catalog().find(ARCHITECTURE)?.preview_models, state: catalog().find('kiwi')?.state });
  const usual = known();
  // repeated until the worker listens and its initial look has ended
  const told = async (lacks: string[]) => {
    await aside.query(`update servers set lacks = $1 where id = 'scripted/one'`, [lacks]);
    await aside.query('notify pomona_probed; notify pomona_architecture_states');
    return known();
  };
  await aside.query(`insert into settings (name, value) values ('architecture_states', '{"kiwi": "retired"}')`);
  const changed = { drawn: [...usual.drawn!, 'z-image-turbo'], state: 'retired' };
  await expect.poll(() => told(['z_image/z-image-turbo'])).toEqual(changed);
  await aside.query(`delete from settings where name = 'architecture_states'`);
  await expect.poll(() => told([])).toEqual(usual);
});

test('a claimed request that the worker does not work on is given back', async () => {
  const id = await submit();
  await expect.poll(async () => (await read(id)).status).toBe('completed');
  // simulates that the response to a claim was lost
  await pool().query(
    `update requests set status = 'in_progress', result = null, finished_at = null, worker = (select id from workers limit 1) where id = $1`,
    [id],
  );
  // after two heartbeats, the claim counts as idle
  const beat = async () => {
    await vi.advanceTimersByTimeAsync(3_000);
    return (await read(id)).status;
  };
  await expect.poll(beat).toBe('completed');
});

test('a stopping worker lets its running job finish', async () => {
  const made = Promise.withResolvers<void>();
  engine.polls = [() => made.promise.then(() => DONE)];
  const id = await submit();
  await expect.poll(calls).toContain('poll');
  const stopping = stop();
  made.resolve();
  await stopping;
  expect((await aside.query('select status from requests where id = $1', [id])).rows).toEqual([
    { status: 'completed' },
  ]);
});

test('a stopping worker gives back its requests in time, even if other work takes longer', async () => {
  engine.polls = [never];
  const id = await submit();
  await expect.poll(calls).toContain('poll');
  await aside.query('begin; lock table recipe_runs');
  onTestFinished(async () => void (await aside.query('rollback')));
  await pool().query(`insert into outbox (consumer, request_id) values ('runs', $1)`, [newId()]);
  await expect.poll(async () => (await pool().query('select attempts from outbox')).rows).toEqual([{ attempts: 1 }]);
  vi.useFakeTimers({ toFake: ['setInterval', 'setTimeout'] });
  const stopping = stop();
  await vi.advanceTimersByTimeAsync(25_000);
  // the worker's own connections may be closed by then
  const held = async () => (await aside.query('select worker from requests where id = $1', [id])).rows;
  await expect.poll(held).toEqual([{ worker: null }]);
  await aside.query('rollback');
  await stopping;
});
