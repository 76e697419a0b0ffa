import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { checkLedger } from '#lib/ledger-check/check-ledger';
import { readBalance } from '#lib/accounts/ledger';
import { pool } from '#lib/db/client';
import { EngineRefusal } from '#lib/engines/engine-refusal';
import { EngineError, type EngineRef } from '#lib/engines/engine';
import { LostAnswer } from '#lib/engines/engine-http';
import { cancelGeneration } from '#lib/generations/cancel';
import { newId } from '#lib/ids';
import { giveBack, saveEngineRef, type Claim } from '#lib/life/claim';
import { expiryOf } from '#lib/media/lifetime';
import { makeAv, makeImage, makeWav } from '#lib/media/media-test-files';
import { classifyImage, classifyVideo } from '#lib/media/nsfw';
import { decoders } from '#lib/media/test-decoders';
import { UnusableMedia } from '#lib/media/unusable-media';
import { storage } from '#lib/storage/store';
import { noteSuccess } from '#lib/worker/breaker';
import { runGeneration } from '#lib/worker/run';
import { PAUSE, QUIET, setRunStage, WORKER } from '#lib/worker/run-test-stage';
import { dropOutput } from '#lib/worker/store-output';
import { DONE, scriptedEngine, serverOf, type ScriptedEngine } from '#lib/worker/scripted-test-engine';
import { storeRenditions } from '#lib/worker/store-renditions';

vi.mock('#lib/media/nsfw', { spy: true });
vi.mock('#lib/worker/store-renditions', { spy: true });

const stage = await setRunStage();
const { caller, submit, read, claim, files } = stage;
let engine: ScriptedEngine;
beforeEach(() => {
  engine = scriptedEngine();
});

const run = (claimed: Claim) => stage.run(engine, claimed);

/** Scripts an output that is not finished yet, as from a real engine. */
const made = (bytes: Uint8Array) => {
  engine.polls = [{ state: 'succeeded', output: { contentType: 'image/webp', location: 'x', width: 1, height: 1 } }];
  engine.collect = async () => Readable.from([bytes]);
};

test('the processes for the output start while the engine is still working', async () => {
  expect(decoders()).toEqual([]);
  const whenTheyDo = async () => {
    await expect.poll(() => decoders().length).toBe(3);
    return DONE;
  };
  engine.polls = [whenTheyDo];
  const id = await submit();
  await run(await claim(id));
  expect(await read(id)).toMatchObject({ status: 'completed' });
});

test('the output of an engine becomes a PNG with only our metadata, and its size is measured', async () => {
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

test('the verdict of the classifier is stored with the image', async () => {
  vi.mocked(classifyImage).mockResolvedValueOnce({ nsfw: true, score: 1 });
  for (const nsfw of [true, false]) {
    const id = await submit();
    await run(await claim(id));
    expect((await read(id)).result).toMatchObject({ nsfw });
  }
});

test('the verdict of the classifier is stored with the video', async () => {
  vi.mocked(classifyVideo).mockResolvedValueOnce({ nsfw: true, score: 1 });
  made(await makeAv('mp4'));
  const id = await submit('ltx_video');
  await run(await claim(id));
  expect((await read(id)).result).toMatchObject({ contentType: 'video/mp4', nsfw: true });
});

test('an output that is not an image fails and refunds the request, and leaves no files', async () => {
  made(makeWav(1));
  const [before, balance] = [await files(), await readBalance(caller.accountId)];
  const id = await submit();
  await run(await claim(id));
  const { status, failureCause } = await read(id);
  expect([status, failureCause]).toEqual([
    'failed',
    'engine_error: what the engine made is no image that can be kept: The image is damaged or cut off.',
  ]);
  expect(await files()).toEqual(before);
  expect(await readBalance(caller.accountId)).toEqual(balance);
  expect(await readdir(join(process.env.DATA_DIR!, 'tmp'))).toEqual([]);
});

test('an output whose renditions cannot be stored is not kept without them', async () => {
  made(await makeImage(64, 48).webp().toBuffer());
  const folder = join(process.env.DATA_DIR!, 'media', 'preview');
  await rm(folder, { recursive: true, force: true });
  await writeFile(folder, 'no folder');
  const before = await files();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const id = await submit();
  await run(await claim(id));
  expect(await read(id)).toMatchObject({ finishedAt: null, result: null });
  expect(await files()).toEqual(before);
  await rm(folder);
  await run(await claim(id));
  expect((await read(id)).result?.renditions).toHaveLength(1);
});

test('an output that cannot have renditions is delivered without them', async () => {
  vi.mocked(storeRenditions).mockRejectedValueOnce(new UnusableMedia('too large'));
  const id = await submit();
  await run(await claim(id));
  const { status, result } = await read(id);
  expect(status).toBe('completed');
  expect(result?.renditions).toBeUndefined();
});

test('a job is submitted once and watched to its end, and its output is stored', async () => {
  engine.polls = [{ state: 'queued' }, { state: 'running', progress: 0.5 }, DONE];
  const id = await submit();
  await run(await claim(id));
  expect(engine.calls).toEqual(['submit 1', 'poll', 'poll', 'poll', 'collect']);
  expect(engine.jobs[0]).toMatchObject({ requestId: id, claim: 1, attempt: 1, prompt: 'dusk @noon' });
  const done = await read(id);
  expect(done).toMatchObject({ status: 'completed', worker: null, attempts: 0, interruptions: 0 });
  // counted from the submit, regardless of the duration
  expect(done.result?.expiresAt).toBe(expiryOf(done.createdAt).toISOString());
  expect(await files()).toContain(done.result?.key);
});

test('the engine ref is saved before the submit, and a job that still exists is not submitted again', async () => {
  const id = await submit();
  const first = await claim(id);
  engine.submits = [new LostAnswer('engine_unavailable', 'no answer', true)];
  await run(first);
  expect((await read(id)).engineRef).toEqual({ id: `${id}/1` });
  engine.polls = [{ state: 'running' }, DONE];
  await run(await claim(id));
  expect(engine.calls).toEqual(['submit 1', 'poll', 'poll', 'collect']);
  expect(await read(id)).toMatchObject({ status: 'completed', attempts: 0 });
});

test('a job is submitted again when its engine cannot resume jobs', async () => {
  engine = scriptedEngine({ resumable: false });
  const id = await submit();
  const first = await claim(id);
  await saveEngineRef(first, { id: 'old' });
  await giveBack(first);
  await run(await claim(id));
  expect(engine.calls[0]).toBe('submit 1');
});

test('a job that the engine has lost is submitted again and counts as an interruption', async () => {
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

test('a job that was lost while its engine was down counts as an interruption before it is submitted again', async () => {
  const id = await submit();
  engine.polls = [{ state: 'running' }, new EngineError('engine_unavailable', 'connection refused', true)];
  await run(await claim(id));
  expect(await read(id)).toMatchObject({ interruptions: 0, engineRef: { id: `${id}/1` } });
  engine.polls = [{ state: 'lost' }];
  await run(await claim(id));
  expect(await read(id)).toMatchObject({ interruptions: 1, attempts: 0, engineRef: null, notBefore: PAUSE });
  expect(engine.calls).toEqual(['submit 1', 'poll', 'poll', 'poll']);
});

test('a job that never reached an engine does not count as an interruption', async () => {
  const id = await submit();
  engine.submits = [new EngineError('engine_unavailable', 'connection refused', true)];
  await run(await claim(id));
  expect(await read(id)).toMatchObject({ interruptions: 0, attempts: 0, engineRef: null, notBefore: PAUSE });
});

test('a request with five interruptions fails, is refunded and is not submitted again', async () => {
  const id = await submit();
  const before = await readBalance(caller.accountId);
  await pool().query('update requests set interruptions = 5 where id = $1', [id]);
  await run(await claim(id));
  expect(engine.calls).toEqual([]);
  const failed = await read(id);
  expect(failed).toMatchObject({ status: 'failed', refunded: true });
  expect(await readBalance(caller.accountId)).toBe(before + failed.gems);
});

test('a request fails after three failed attempts, not after two', async () => {
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

test('a job that cannot be polled or collected is resumed later, not submitted again', async () => {
  const id = await submit();
  const broken = new EngineError('engine_error', 'it answered 500', true);
  const { collect } = engine;
  engine.polls = [{ state: 'running' }, broken];
  await run(await claim(id));
  expect(await read(id)).toMatchObject({ attempts: 1, engineRef: { id: `${id}/1` }, notBefore: PAUSE });
  engine.polls = [DONE];
  engine.collect = () => Promise.reject(broken);
  await run(await claim(id));
  expect(await read(id)).toMatchObject({ attempts: 2, engineRef: { id: `${id}/1` }, notBefore: PAUSE });
  // resumed after a temporary error, which does not count as an attempt
  engine.polls = [broken, { state: 'running' }, DONE];
  engine.collect = collect;
  await run(await claim(id));
  expect(await read(id)).toMatchObject({ status: 'completed', attempts: 2 });
  expect(engine.calls.filter(call => call.startsWith('submit'))).toEqual(['submit 1']);
});

test.each([
  ['failed to take', new EngineError('engine_error', 'it answered 500', true)],
  ['refused for its key', new EngineRefusal('POST /jobs', 401, {}, '{}')],
])('a job that its engine %s is not resumed', async (_, refusal) => {
  const id = await submit();
  engine.submits = [refusal];
  await run(await claim(id));
  expect(await read(id)).toMatchObject({ attempts: 1, engineRef: null, notBefore: PAUSE });
});

test('an error that no retry can fix fails the request immediately, with a message for the user', async () => {
  const id = await submit();
  engine.polls = [{ state: 'failed', error: new EngineError('out_of_memory', 'CUDA', false) }];
  await run(await claim(id));
  expect(await read(id)).toMatchObject({
    status: 'failed',
    errorMessage: expect.stringContaining('lower resolution'),
    failureCause: 'out_of_memory: CUDA',
  });
});

test('a job without progress for the stall time of its engine is cancelled', async () => {
  const id = await submit();
  engine.polls = [{ state: 'running', progress: 0.5 }];
  const server = { ...serverOf(engine), stallSeconds: 0.1 };
  await runGeneration(await claim(id), server, QUIET);
  expect(engine.calls.at(-1)).toBe('cancel');
});

test('a job stuck in the queue of its engine is cancelled there and retried later, without counting as an attempt', async () => {
  const id = await submit();
  engine.polls = [{ state: 'queued', position: 1 }];
  noteSuccess('scripted/1');
  await pool().query(`insert into servers (id, engine, places, ok) values ('scripted/1', 'scripted', 1, true)`);
  await runGeneration(await claim(id), { ...serverOf(engine), stallSeconds: 0.1 }, QUIET);
  // the server stays ok: the job ahead may just take long
  const { rows } = await pool().query('delete from servers returning ok');
  expect(rows).toEqual([{ ok: true }]);
  expect(engine.calls.at(-1)).toBe('cancel');
  const waiting = { status: 'in_progress', worker: null, engineRef: null, attempts: 0, interruptions: 0 };
  expect(await read(id)).toMatchObject({ ...waiting, notBefore: PAUSE });
});

test('a job at a shared server is recorded as made while its output is still being stored', async () => {
  const id = await submit();
  const stored = Promise.withResolvers<void>();
  const collect = engine.collect;
  engine.collect = async (...made) => {
    await stored.promise;
    return collect(...made);
  };
  const running = runGeneration(await claim(id), { ...serverOf(engine), shared: true }, QUIET);
  await vi.waitFor(async () => expect((await read(id)).madeAt).not.toBeNull(), 10_000);
  stored.resolve();
  await running;
  expect(await read(id)).toMatchObject({ status: 'completed' });
});

test('the output of a request that became final in the meantime is dropped', async () => {
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

test('a worker that lost its claim submits nothing and changes nothing', async () => {
  const id = await submit();
  const old = await claim(id);
  await giveBack(old);
  const fresh = await claim(id);
  await run(old);
  expect(engine.calls).toEqual([]);
  expect(await read(id)).toMatchObject({ worker: WORKER, claim: fresh.claim, status: 'in_progress' });
});

test('a job submitted while the claim was lost is cancelled at the service, which would charge for it', async () => {
  const id = await submit();
  const old = await claim(id);
  engine.submit = async () => {
    await giveBack(old);
    await claim(id);
    return { id: 'theirs' };
  };
  const cancelled: EngineRef[] = [];
  engine.cancel = async ref => {
    cancelled.push(ref);
    return 'cancelled';
  };
  await run(old);
  expect(cancelled).toEqual([{ id: 'theirs' }]);
  expect(await read(id)).toMatchObject({ engineRef: { id: `${id}/1` }, attempts: 0, worker: WORKER });
});

test.each([
  ['of a field', {}, 'A file of this request was deleted'],
  ['that a mention brought', { handle: 'cara' }, '@cara was deleted'],
])('a deleted input %s fails the request, with a message that says what was deleted', async (_, from, named) => {
  const id = await submit();
  const inputs = JSON.stringify([{ role: 'reference', mediaId: newId(), ...from }]);
  await pool().query('update requests set inputs = $2 where id = $1', [id, inputs]);
  await run(await claim(id));
  expect(engine.calls).toEqual([]);
  expect(await read(id)).toMatchObject({
    status: 'failed',
    errorMessage: expect.stringContaining(named),
    failureCause: 'invalid_input: an input is gone',
  });
});

test('an output that belongs to its request is not dropped', async () => {
  const id = await submit();
  await run(await claim(id));
  const { result } = await read(id);
  await dropOutput(result!);
  expect(await files()).toContain(result!.key);
});

test('the ledger is consistent after all of these tests', async () => {
  expect((await checkLedger()).filter(({ ok }) => !ok)).toEqual([]);
});
