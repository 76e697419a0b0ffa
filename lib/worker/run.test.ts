import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { createApiKey } from '#lib/accounts/api-keys';
import { verifyApiKey, type Caller } from '#lib/accounts/callers';
import { checkLedger } from '#lib/accounts/ledger-check';
import { readBalance } from '#lib/accounts/ledger';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { EngineError, type EngineJob, type Snapshot } from '#lib/engines/engine';
import { cancelGeneration } from '#lib/generations/cancel';
import { getGeneration } from '#lib/generations/read';
import { submitGeneration } from '#lib/generations/submit';
import { newId } from '#lib/ids';
import { claimGenerations, giveBack, saveEngineRef, type Claim } from '#lib/life/claim';
import { DecoderKilled } from '#lib/media/decoder';
import { makeImage, makeWav } from '#lib/media/media-test-files';
import { faultOf } from '#lib/storage/bucket-answer';
import { storage } from '#lib/storage/store';
import { driveEngine } from '#lib/engines/drive-engine';
import { runGeneration } from '#lib/worker/run';
import { dropOutput } from '#lib/worker/store-output';
import { DONE, scriptedEngine, serverOf, type ScriptedEngine } from '#lib/worker/scripted-test-engine';

await useOwnDatabase();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-run-'));
process.env.LOG_LEVEL = 'silent';

const WORKER = newId();
const FOREVER = new AbortController().signal;
let caller: Caller;
let engine: ScriptedEngine;

beforeAll(async () => {
  const { id } = await createAccount({ email: 'runner@example.com', gems: 1_000_000 });
  caller = (await verifyApiKey((await createApiKey(id, { name: 'test' })).key)) as Caller;
});

beforeEach(() => {
  engine = scriptedEngine();
});

async function submit(): Promise<string> {
  const body = () => Promise.resolve({ prompt: 'dusk \\@noon' });
  return (await submitGeneration({ caller, architectureId: 'z_image', body })).generation.id;
}

async function claim(id: string, server = 'scripted/1'): Promise<Claim> {
  await pool().query('update requests set not_before = null where id = $1', [id]);
  const [claimed] = await claimGenerations(WORKER, [{ id, engine: 'scripted', server, places: null }]);
  if (!claimed) throw new Error('not claimed');
  return claimed;
}

/** Something went wrong: the next try waits a little. */
const PAUSE: unknown = expect.any(Date);
const QUIET = { stop: FOREVER, drain: FOREVER, onSnapshot: () => undefined };

const run = (claimed: Claim, { stop = FOREVER, drain = FOREVER } = {}) =>
  runGeneration(claimed, serverOf(engine), { stop, drain, onSnapshot: () => undefined });

const read = (id: string) => getGeneration(caller.accountId, id);

const files = async () => {
  const keys = [];
  for await (const { key } of storage().list('result')) keys.push(key);
  return keys;
};

/** An output as engines make them, that is not finished yet. */
const made = (bytes: Uint8Array) => {
  engine.polls = [{ state: 'succeeded', output: { contentType: 'image/webp', location: 'x', width: 1, height: 1 } }];
  engine.collect = async () => Readable.from([bytes]);
};

test('what an engine made becomes a PNG of ours, and its size is measured', async () => {
  const exif = { IFD0: { ImageDescription: 'the whole workflow' } };
  made(await makeImage(64, 48).withExif(exif).webp({ lossless: true }).toBuffer());
  const id = await submit();
  await run(await claim(id));
  const { result } = await read(id);
  expect(result).toMatchObject({
    contentType: 'image/png',
    width: 64,
    height: 48,
    key: expect.stringMatching(/\.png$/),
  });
  const stored = await buffer(await storage().get(result!.key));
  expect(stored.includes('the whole workflow')).toBe(false);
  expect(stored.includes('{"generator":"Pomona","architecture":"z_image"')).toBe(true);
  expect(await readdir(join(process.env.DATA_DIR!, 'tmp'))).toEqual([]);
});

test('what is no picture fails the request at once, is refunded, and leaves nothing', async () => {
  made(makeWav(1));
  const [before, balance] = [await files(), await readBalance(caller.accountId)];
  const id = await submit();
  await run(await claim(id));
  expect(await read(id)).toMatchObject({ status: 'failed', failureCause: expect.stringContaining('is no image') });
  expect(await files()).toEqual(before);
  expect(await readBalance(caller.accountId)).toEqual(balance);
  expect(await readdir(join(process.env.DATA_DIR!, 'tmp'))).toEqual([]);
});

test('an output whose smaller forms cannot be kept is not kept without them', async () => {
  made(await makeImage(64, 48).webp().toBuffer());
  const [before, folder] = [await files(), join(process.env.DATA_DIR!, 'media', 'preview')];
  await rm(folder, { recursive: true, force: true });
  await writeFile(folder, 'no folder');
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const id = await submit();
  await run(await claim(id));
  expect(await read(id)).toMatchObject({ finishedAt: null, result: null });
  expect(await files()).toEqual(before);
  await rm(folder);
  await run(await claim(id));
  expect((await read(id)).result?.renditions).toHaveLength(1);
});

test('a job is submitted once, watched to its end, and its output kept', async () => {
  engine.polls = [{ state: 'queued' }, { state: 'running', progress: 0.5 }, DONE];
  const id = await submit();
  await run(await claim(id));
  expect(engine.calls).toEqual(['submit 1', 'poll', 'poll', 'poll', 'collect']);
  expect(engine.jobs[0]).toMatchObject({ requestId: id, claim: 1, attempt: 1, prompt: 'dusk @noon' });
  const done = await read(id);
  expect(done).toMatchObject({ status: 'completed', worker: null, attempts: 0, interruptions: 0 });
  expect(await files()).toContain(done.result?.key);
});

test('the ref is saved before the engine hears of the job, and a job that is still there is not submitted again', async () => {
  const id = await submit();
  const first = await claim(id);
  engine.submits = [new EngineError('engine_unavailable', 'no answer', true)];
  await run(first);
  expect((await read(id)).engineRef).toEqual({ id: `${id}/1` });
  engine.polls = [{ state: 'running' }, DONE];
  await run(await claim(id));
  expect(engine.calls).toEqual(['submit 1', 'poll', 'poll', 'collect']);
  expect(await read(id)).toMatchObject({ status: 'completed', attempts: 0 });
});

test('an engine that cannot resume, or another server, gets the job anew', async () => {
  engine = scriptedEngine({ resumable: false });
  const id = await submit();
  const first = await claim(id);
  await saveEngineRef(first, { id: 'old' });
  await giveBack(first);
  await run(await claim(id));
  expect(engine.calls[0]).toBe('submit 1');
});

test('a job that the engine does not know any more is submitted again, and counted as interrupted', async () => {
  const id = await submit();
  engine.polls = [{ state: 'running' }, { state: 'lost' }, DONE];
  await run(await claim(id));
  expect(await read(id)).toMatchObject({
    status: 'in_progress',
    interruptions: 1,
    attempts: 0,
    engineRef: null,
    notBefore: PAUSE,
  });
  await run(await claim(id));
  expect(engine.calls).toEqual(['submit 1', 'poll', 'poll', 'submit 1', 'poll', 'collect']);
});

test('what was interrupted five times fails, is refunded, and reaches no engine again', async () => {
  const id = await submit();
  const before = await readBalance(caller.accountId);
  await pool().query('update requests set interruptions = 5 where id = $1', [id]);
  await run(await claim(id));
  expect(engine.calls).toEqual([]);
  const failed = await read(id);
  expect(failed).toMatchObject({ status: 'failed', refunded: true });
  expect(await readBalance(caller.accountId)).toBe(before + failed.gems);
});

test('three failed attempts fail a request, two do not', async () => {
  const id = await submit();
  engine.polls = [{ state: 'failed', error: new EngineError('engine_error', 'broke', true) }];
  for (const attempts of [1, 2]) {
    await run(await claim(id));
    expect(await read(id)).toMatchObject({ status: 'in_progress', worker: null, attempts, notBefore: PAUSE });
  }
  await run(await claim(id));
  expect(await read(id)).toMatchObject({ status: 'failed', failureCause: 'engine_error: broke' });
  expect(engine.calls.filter(call => call.startsWith('submit'))).toEqual(['submit 1', 'submit 2', 'submit 3']);
});

test('what cannot be mended fails at once, with words for the account', async () => {
  const id = await submit();
  engine.polls = [{ state: 'failed', error: new EngineError('out_of_memory', 'CUDA', false) }];
  await run(await claim(id));
  expect(await read(id)).toMatchObject({
    status: 'failed',
    errorMessage: expect.stringContaining('lower resolution'),
    failureCause: 'out_of_memory: CUDA',
  });
});

test('a server that cannot be reached uses up neither attempts nor interruptions', async () => {
  const id = await submit();
  engine.polls = [new EngineError('engine_unavailable', 'connection refused', true)];
  await pool().query(`insert into servers (id, engine, places, ok) values ('scripted/1', 'scripted', 1, true)`);
  for (let n = 0; n < 6; n++) await run(await claim(id));
  expect(await read(id)).toMatchObject({
    status: 'in_progress',
    worker: null,
    notBefore: PAUSE,
    attempts: 0,
    interruptions: 0,
  });
  // it gets nothing more until a probe finds it again
  const { rows } = await pool().query('delete from servers returning ok, detail');
  expect(rows).toEqual([{ ok: false, detail: 'connection refused' }]);
});

test('a job from which nothing is heard is stopped at the engine; one that gets on is left alone', async () => {
  const drive = (stallMs: number) =>
    driveEngine({
      engine,
      job: { requestId: newId(), claim: 1, attempt: 1 } as EngineJob,
      saved: null,
      saveRef: async () => undefined,
      onSnapshot: () => undefined,
      signal: FOREVER,
      stallMs,
    });
  engine.polls = [{ state: 'running', progress: 0.5 }];
  await expect(drive(100)).rejects.toMatchObject({ code: 'timeout' });
  expect(engine.calls.at(-1)).toBe('cancel');
  engine.polls = [0.1, 0.2, 0.3].map((progress): Snapshot => ({ state: 'running', progress }));
  engine.polls.push({ state: 'queued' }, { state: 'queued' }, { state: 'queued' }, DONE);
  await expect(drive(4_000)).resolves.toEqual(DONE.state === 'succeeded' && DONE.output);
});

test('a server that fails one job after the other rests until its next probe; what the job did wrong is not held against it', async () => {
  const standing = async () => (await pool().query('select ok, detail from servers where id = $1', ['broken/1'])).rows;
  await pool().query(`insert into servers (id, engine, places, ok) values ('broken/1', 'scripted', 1, true)`);
  const failWith = async (error: EngineError) => {
    const id = await submit();
    engine = scriptedEngine();
    engine.polls = [{ state: 'failed', error }];
    await runGeneration(await claim(id, 'broken/1'), serverOf(engine, 'broken/1'), QUIET);
  };
  const broken = new EngineError('engine_error', 'CUDA error', true);
  await failWith(broken);
  await failWith(broken);
  await failWith(new EngineError('invalid_input', 'no such sampler', false));
  expect(await standing()).toEqual([{ ok: true, detail: null }]);
  await failWith(broken);
  expect(await standing()).toEqual([{ ok: false, detail: '3 jobs in a row failed here, so it rests' }]);
  // a probe found it again
  await pool().query('update servers set ok = true');
  await failWith(broken);
  expect(await standing()).toMatchObject([{ ok: false }]);
  await pool().query('update servers set ok = true');
  engine = scriptedEngine();
  await runGeneration(await claim(await submit(), 'broken/1'), serverOf(engine, 'broken/1'), QUIET);
  await failWith(broken);
  expect(await standing()).toMatchObject([{ ok: true }]);
  await pool().query('delete from servers');
});

test('an engine may keep silent for as long as its entry says', async () => {
  const id = await submit();
  engine.polls = [{ state: 'running', progress: 0.5 }];
  const server = { ...serverOf(engine), stallSeconds: 0.1 };
  await runGeneration(await claim(id), server, QUIET);
  expect(engine.calls.at(-1)).toBe('cancel');
});

test('a worker that stops leaves the job at its engine and the request to others', async () => {
  const id = await submit();
  const drain = new AbortController();
  engine.polls = [
    async () => {
      drain.abort();
      return { state: 'running' };
    },
  ];
  await run(await claim(id), { drain: drain.signal });
  expect(engine.calls).not.toContain('cancel');
  expect(await read(id)).toMatchObject({
    status: 'in_progress',
    worker: null,
    notBefore: null,
    interruptions: 0,
    attempts: 0,
  });
  expect((await read(id)).engineRef).not.toBeNull();
});

test('the output of a request that became final meanwhile is dropped', async () => {
  const id = await submit();
  const before = await files();
  engine.polls = [
    async () => {
      await cancelGeneration(caller.accountId, id);
      return DONE;
    },
  ];
  await run(await claim(id));
  expect(await read(id)).toMatchObject({ status: 'cancelled', result: null });
  expect(await files()).toEqual(before);
  const { rows } = await pool().query('select from media where request_id = $1', [id]);
  expect(rows).toEqual([]);
});

test('whoever lost the claim submits nothing and changes nothing', async () => {
  const id = await submit();
  const old = await claim(id);
  await giveBack(old);
  const fresh = await claim(id);
  await run(old);
  expect(engine.calls).toEqual([]);
  expect(await read(id)).toMatchObject({ worker: WORKER, claim: fresh.claim, status: 'in_progress' });
});

test('an input that is gone fails the request', async () => {
  const id = await submit();
  const inputs = JSON.stringify([{ role: 'reference', mediaId: newId() }]);
  await pool().query('update requests set inputs = $2 where id = $1', [id, inputs]);
  await run(await claim(id));
  expect(engine.calls).toEqual([]);
  expect(await read(id)).toMatchObject({ status: 'failed', failureCause: expect.stringContaining('an input is gone') });
});

/** The next writes of a completed state find their connection cut, so many times. */
async function cutConnections(times: number): Promise<void> {
  await pool().query(`
    create sequence if not exists cuts; select setval('cuts', 1, false);
    create or replace function cut() returns trigger language plpgsql as $$ begin
      if nextval('cuts') <= ${times} then perform pg_terminate_backend(pg_backend_pid()); end if;
      return new;
    end $$;
    create or replace trigger cut before update on requests for each row when (new.status = 'completed') execute function cut()`);
}

test('an output outlasts a database that breaks off when it is written down', async () => {
  const id = await submit();
  await cutConnections(2);
  await run(await claim(id));
  await pool().query('drop trigger cut on requests');
  const done = await read(id);
  expect(done).toMatchObject({ status: 'completed', attempts: 0, interruptions: 0 });
  expect(engine.calls.filter(call => call === 'collect')).toHaveLength(1);
  expect(await files()).toContain(done.result?.key);
});

test('a database that breaks off uses up no attempt, and the job is found again', async () => {
  const id = await submit();
  const outage = Object.assign(new Error('terminating connection'), { code: '57P01' });
  engine.polls = [{ state: 'running' }, outage, DONE];
  for (let n = 0; n < 2; n++) await run(await claim(id));
  expect(await read(id)).toMatchObject({ status: 'completed', attempts: 0, interruptions: 0 });
  expect(engine.calls.filter(call => call.startsWith('submit'))).toHaveLength(1);
});

test('a store that is out uses up no attempt, and the output is fetched again', async () => {
  const id = await submit();
  const put = vi.spyOn(storage(), 'put').mockRejectedValue(faultOf(503, 'the store is busy'));
  onTestFinished(() => put.mockRestore());
  for (let n = 0; n < 4; n++) await run(await claim(id));
  expect(await read(id)).toMatchObject({ status: 'in_progress', attempts: 0, interruptions: 0, notBefore: PAUSE });
  put.mockRestore();
  await run(await claim(id));
  expect(await read(id)).toMatchObject({ status: 'completed' });
  expect(engine.calls.filter(call => call.startsWith('submit'))).toHaveLength(1);
});

test('a decoder that the system ends for its memory uses up no attempt, and the job is found again', async () => {
  const id = await submit();
  const { collect } = engine;
  engine.collect = async () => {
    engine.collect = collect;
    throw new DecoderKilled('ended with SIGKILL');
  };
  await run(await claim(id));
  expect(await read(id)).toMatchObject({ status: 'in_progress', attempts: 0, interruptions: 1, notBefore: PAUSE });
  await run(await claim(id));
  expect(await read(id)).toMatchObject({ status: 'completed' });
  expect(engine.calls.filter(call => call.startsWith('submit'))).toHaveLength(1);
});

test('an output that its request has after all is not taken back', async () => {
  const id = await submit();
  await run(await claim(id));
  const { result } = await read(id);
  await dropOutput(result!);
  expect(await files()).toContain(result!.key);
});

test('after all of that the books are whole', async () => {
  expect((await checkLedger()).filter(({ ok }) => !ok)).toEqual([]);
});
