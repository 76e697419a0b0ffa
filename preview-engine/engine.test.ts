import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import renderJob from '#preview-engine/render-thread';
import { createPreviewEngine } from '#preview-engine/engine';
import type { PreviewOptions } from '#preview-engine/engine';
import { encodeStill, muxVp8 } from '#lib/media/hostile-test-media';
import { makeAv, makeImage } from '#lib/media/media-test-files';
import { temporaryFolder } from '#lib/process/temporary-folder';
import { sweepTemporary } from '#lib/retention/sweep-temporary';
import type { EngineJob, Snapshot } from '#lib/engines/engine';

/** A render thread whose behaviour is chosen by the prompt. */
const THREAD = `
import { readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
export default async function ({ job, path, port, flags }) {
  port.postMessage(0);
  if (job.prompt === 'load') {
    Atomics.store(flags, 1, 1);
    while (!Atomics.load(flags, 0)) Atomics.wait(flags, 0, 0, 20);
    // for longer than a thread has that is told to stop
    Atomics.wait(flags, 0, 1, 2_000);
    writeFileSync(job.config.loaded, '');
    Atomics.store(flags, 1, 0);
    throw new Error('stopped');
  }
  if (job.prompt === 'spin') for (;;);
  if (job.prompt === 'crash') process.exit(3);
  if (job.prompt === 'throw') throw new Error('broken pencil');
  if (job.prompt === 'no room') return { fault: { message: 'disk', code: 'ENOSPC', path } };
  if (job.prompt === 'meet') {
    const all = new Int32Array(job.config.meeting);
    Atomics.add(all, 0, 1);
    Atomics.notify(all, 0);
    while (Atomics.load(all, 0) < 2) Atomics.wait(all, 0, Atomics.load(all, 0), 100);
  }
  port.postMessage(0.5);
  const heads = job.inputs.map(input => ({ ...input, head: readFileSync(input.path).toString('base64').slice(0, 4) }));
  await writeFile(path, job.prompt === 'tell' ? JSON.stringify({ inputs: heads }) : 'drawn: ' + job.prompt);
  return { output: { contentType: 'image/png', location: path, width: 8, height: 8 } };
}`;

let dir: string;
const engines: ReturnType<typeof createPreviewEngine>[] = [];
const context = { signal: new AbortController().signal };
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'builtin-engine-'));
  process.env.DATA_DIR = dir;
  await writeFile(join(dir, 'thread.mjs'), THREAD);
});
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
  await rm(dir, { recursive: true });
});

function start(options: Partial<PreviewOptions> = {}) {
  const engine = createPreviewEngine({
    concurrency: 1,
    threadFile: pathToFileURL(join(dir, 'thread.mjs')),
    ...options,
  });
  engines.push(engine);
  return engine;
}

let count = 0;
const job = (prompt: string, changes: Partial<EngineJob> = {}): EngineJob => ({
  requestId: `request-${++count}`,
  claim: 1,
  attempt: 1,
  architecture: 'lemon',
  modelId: 'lemon',
  prompt,
  seed: 1,
  config: {},
  output: { type: 'image', width: 8, height: 8, duration: 0, fps: 0, sound: false, sampleRate: 0 },
  inputs: [],
  ...changes,
});

async function watchAll(engine: ReturnType<typeof start>, work: EngineJob): Promise<Snapshot[]> {
  const ref = await engine.submit(work, engine.reserve(work), context);
  const seen: Snapshot[] = [];
  for await (const snapshot of engine.watch(ref, context)) seen.push(snapshot);
  return seen;
}

/** Runs a job and returns the content of its output. */
async function drawn(engine: ReturnType<typeof start>, work: EngineJob): Promise<string> {
  const last = (await watchAll(engine, work)).at(-1)!;
  if (last.state !== 'succeeded') throw new Error(`the job is ${last.state}`);
  return String(await buffer(await engine.collect(last.output, context)));
}

/** Resolves when the job is running. */
async function untilRunning(engine: ReturnType<typeof start>, ref: { id: string }): Promise<void> {
  for await (const { state } of engine.watch(ref, context)) if (state === 'running') return;
}

test('a job goes from queued through running to its file, which is deleted after it was read', async () => {
  const engine = start();
  const seen = await watchAll(engine, job('a house'));
  expect(seen[0]).toEqual({ state: 'queued' });
  expect(seen).toContainEqual({ state: 'running', progress: 0.5 });
  const last = seen.at(-1)!;
  expect(last).toMatchObject({ state: 'succeeded', output: { contentType: 'image/png', width: 8, height: 8 } });
  if (last.state !== 'succeeded') expect.fail(last.state);
  const stream = await engine.collect(last.output, context);
  const closed = once(stream, 'close');
  expect((await buffer(stream)).toString()).toBe('drawn: a house');
  await closed;
  await expect.poll(() => readdir(temporaryFolder())).toEqual([]);
  await expect(engine.collect(last.output, context)).rejects.toMatchObject({ code: 'engine_error', retryable: true });
});

test('a job succeeds after days without a job', async () => {
  const engine = start();
  for (const subject of ['a house', 'a tree']) {
    expect(await drawn(engine, job(subject))).toBe(`drawn: ${subject}`);
    await sweepTemporary(new Date(Date.now() + 3 * 86_400_000));
  }
});

test('a job that cannot write its file fails without affecting the next one', async () => {
  const engine = start();
  await rm(temporaryFolder(), { recursive: true, force: true });
  await writeFile(temporaryFolder(), 'in the way');
  expect((await watchAll(engine, job('a house'))).at(-1)).toMatchObject({ state: 'failed' });
  await rm(temporaryFolder());
  expect((await watchAll(engine, job('a house'))).at(-1)).toMatchObject({ state: 'succeeded' });
});

test('the job id is the same for the same attempt, and a second submit with it starts no other job', async () => {
  const engine = start();
  const work = job('a tree');
  expect(engine.reserve(work)).toEqual(engine.reserve({ ...work }));
  expect(engine.reserve({ ...work, claim: 2 })).not.toEqual(engine.reserve(work));
  const ref = engine.reserve(work);
  await engine.submit(work, ref, context);
  await engine.submit({ ...work, prompt: 'throw' }, ref, context);
  for await (const _ of engine.watch(ref, context));
  expect(await engine.poll(ref, context)).toMatchObject({ state: 'succeeded' });
});

test('an unknown job id is lost, and too late to cancel', async () => {
  const engine = start();
  expect(await engine.poll({ id: 'nobody' }, context)).toEqual({ state: 'lost' });
  expect(await engine.cancel({ id: 'nobody' })).toBe('too_late');
});

test('cancel ends a busy thread and removes a waiting job', async () => {
  const engine = start();
  const submit = (work: EngineJob) => engine.submit(work, engine.reserve(work), context);
  const busy = await submit(job('spin'));
  await untilRunning(engine, busy);
  const waiting = await submit(job('a house'));
  expect(await engine.poll(waiting, context)).toEqual({ state: 'queued' });
  expect(await engine.cancel(waiting)).toBe('cancelled');
  expect(await engine.cancel(busy)).toBe('cancelled');
  for (const ref of [busy, waiting]) expect(await engine.poll(ref, context)).toEqual({ state: 'cancelled' });
  expect(await engine.cancel(busy)).toBe('too_late');
  // a thread is free for the next job
  expect((await watchAll(engine, job('a house'))).at(-1)).toMatchObject({ state: 'succeeded' });
});

test('cancel waits until a thread has loaded its codecs, since ending it earlier would end the process', async () => {
  const engine = start();
  const work = job('load', { config: { loaded: join(dir, 'loaded') } });
  const ref = await engine.submit(work, engine.reserve(work), context);
  await untilRunning(engine, ref);
  expect(await engine.cancel(ref)).toBe('cancelled');
  expect(await readdir(dir)).toContain('loaded');
});

test('aborting the signal given at submit cancels the job', async () => {
  const engine = start();
  const stop = new AbortController();
  const work = job('spin');
  const ref = await engine.submit(work, engine.reserve(work), { signal: stop.signal });
  await untilRunning(engine, ref);
  stop.abort();
  for await (const _ of engine.watch(ref, context));
  expect(await engine.poll(ref, context)).toEqual({ state: 'cancelled' });
});

test.each([
  ['crash', { code: 'engine_error', retryable: true }],
  ['throw', { code: 'engine_error', retryable: true, message: 'Render thread: broken pencil' }],
  // the system's error code is kept, so that the worker can wait for disk space
  [
    'no room',
    { code: 'engine_error', retryable: true, cause: { code: 'ENOSPC', path: expect.stringMatching(/output/) } },
  ],
])('"%s" fails only its own job', async (prompt, error) => {
  const engine = start();
  const last = (await watchAll(engine, job(prompt))).at(-1)!;
  expect(last.state).toBe('failed');
  if (last.state === 'failed') expect(last.error).toMatchObject({ name: 'EngineError', ...error });
  expect((await watchAll(engine, job('a house'))).at(-1)).toMatchObject({ state: 'succeeded' });
});

test('as many jobs run at the same time as the concurrency allows', async () => {
  const engine = start({ concurrency: 2 });
  // each job ends only after both have started
  const config = { meeting: new SharedArrayBuffer(4) };
  const both = await Promise.all([
    watchAll(engine, job('meet', { config })),
    watchAll(engine, job('meet', { config })),
  ]);
  for (const seen of both) expect(seen.at(-1)).toMatchObject({ state: 'succeeded' });
});

test('given images and videos reach the renderer in converted form, and a broken video fails the job', async () => {
  const engine = start();
  const photo = join(dir, 'photo.webp');
  await makeImage(4000, 1000).webp().toFile(photo);
  const film = join(dir, 'film.webm');
  await writeFile(film, await makeAv('webm'));
  const broken = join(dir, 'broken.mp4');
  await writeFile(broken, (await makeAv('mp4')).subarray(0, 900));
  const output = { type: 'video', width: 64, height: 48, duration: 1, fps: 8, sound: false, sampleRate: 0 } as const;
  const inputs: EngineJob['inputs'] = [
    { role: 'reference', path: photo, contentType: 'image/webp' },
    { role: 'source_video', path: film, contentType: 'video/webm' },
  ];
  const { inputs: seen } = JSON.parse(await drawn(engine, job('tell', { inputs, output })));
  expect(seen).toMatchObject([
    { role: 'reference', contentType: 'image/jpeg', head: '/9j/' },
    { role: 'source_video', contentType: 'video/mp4', head: 'AAAA' },
  ]);
  expect(seen.map(({ path }: { path: string }) => path)).not.toContain(photo);

  const refused = job('tell', { output, inputs: [{ role: 'source_video', path: broken, contentType: 'video/mp4' }] });
  expect((await watchAll(engine, refused)).at(-1)).toMatchObject({
    state: 'failed',
    error: { code: 'invalid_input', retryable: false },
  });
});

test('cancel ends the decoding of a source video and leaves no file', async () => {
  const engine = start();
  const film = join(dir, 'long.webm');
  const [key, still] = encodeStill(3000, 2000) as [Buffer, Buffer];
  await writeFile(film, await muxVp8([key, ...Array.from({ length: 3000 }, () => still)], 100, [3000, 2000]));
  const output = {
    type: 'video',
    width: 640,
    height: 480,
    duration: 30,
    fps: 24,
    sound: false,
    sampleRate: 0,
  } as const;
  const work = job('a house', { output, inputs: [{ role: 'source_video', path: film, contentType: 'video/webm' }] });
  const ref = await engine.submit(work, engine.reserve(work), context);
  const files = () => readdir(temporaryFolder(), { recursive: true });
  await expect.poll(files).toContainEqual(expect.stringMatching(/inputs.0$/));
  expect(await engine.cancel(ref)).toBe('cancelled');
  expect(await files()).toEqual([]);
});

test('the real renderer makes an MP3 of the requested length', async () => {
  const engine = start({ threadFile: new URL('./render-thread.ts', import.meta.url) });
  const output = { type: 'audio', width: 0, height: 0, duration: 2, fps: 0, sound: true, sampleRate: 16000 } as const;
  const last = (await watchAll(engine, job('rain', { output }))).at(-1)!;
  expect(last).toMatchObject({
    state: 'succeeded',
    output: { contentType: 'audio/mpeg', width: 0, height: 0, duration: 2 },
  });
  if (last.state === 'succeeded')
    expect((await buffer(await engine.collect(last.output, context))).subarray(0, 3).toString()).toBe('ID3');
});

test('the real renderer reports which file it could not write', async () => {
  const { port1, port2 } = new MessageChannel();
  const path = join(dir, 'nowhere', 'output.png');
  const flags = new Int32Array(new SharedArrayBuffer(8));
  const rendered = await renderJob({ job: job('a pear'), path, port: port2 as never, flags });
  port1.close();
  expect(rendered).toMatchObject({ fault: { message: expect.stringContaining('ENOENT'), code: 'ENOENT', path } });
});
