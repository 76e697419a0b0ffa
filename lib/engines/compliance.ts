import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { collectOutput } from '#lib/engines/collect-output';
import { driveEngine } from '#lib/engines/drive-engine';
import {
  EngineError,
  type Engine,
  type EngineJob,
  type EngineRef,
  type EngineTraits,
  type Snapshot,
} from '#lib/engines/engine';
import { startFaultServer, type Fault, type FaultServer } from '#lib/engines/fault-test-server';
import { inTemporaryFolder } from '#lib/process/temporary-folder';

/** A server under test and how to connect to it, for `testEngine`. */
export interface EngineRig {
  /** Base address of the server. */
  url: string;
  /** Creates an engine as a worker does. `url` leads to the server, directly or through the fault server. */
  connect(url: string, limits: { answerMs: number }): Engine;
  /** Jobs that the server accepts; tests of omitted jobs are skipped. */
  jobs: {
    /** A short job with any kind of output, which is identical for identical seeds. */
    plain: EngineJob;
    /** Runs until it is cancelled, or longer than any test. */
    long: EngineJob;
    /** Other jobs that succeed: a video, a sound, jobs with inputs. */
    more?: EngineJob[];
    /** Makes two files, of which one is the result. */
    two?: EngineJob;
    /** Succeeds without an output file. */
    none?: EngineJob;
    /** Makes an image where a video was requested. */
    wrong?: EngineJob;
    /** Makes a file of more than 200 MB. */
    huge?: EngineJob;
    /** Needs a model that is not installed; the error must contain its name. */
    missing?: { job: EngineJob; name: string };
    /** Runs out of memory. */
    memory?: EngineJob;
  };
  /** Secret of the server, which no error message may contain. */
  secret?: string;
  /** Restarts the server at the same address, as after a crash or an update. */
  restart?(): Promise<void>;
  /** Whether results are downloaded from another host, which the fault server does not affect. */
  elsewhere?: boolean;
  /** Returns the number of jobs that the server has taken since its creation. */
  submissions?(): number;
  close(): Promise<void>;
}

const FINAL = new Set<Snapshot['state']>(['succeeded', 'failed', 'cancelled', 'lost']);
const BROKEN: Fault[] = ['silent', 'closed', 'cut', 'page', 'nonsense', 401, 404, 429, 500, 503];

/** Tests the contract of `Engine`; tests of abilities that its traits exclude are skipped. `make` is called once. */
export function testEngine(name: string, traits: EngineTraits, make: () => Promise<EngineRig>): void {
  let rig: EngineRig;
  let between: FaultServer;
  const opened: Engine[] = [];
  const live = new AbortController();
  const context = { signal: live.signal };

  beforeAll(async () => {
    rig = await make();
    between = await startFaultServer(rig.url);
  }, 60_000);
  afterAll(async () => {
    live.abort();
    for (const engine of opened) await engine.close?.();
    await between.close();
    await rig.close();
  });

  /** Opens a further engine for the same server, as another worker would. */
  function open(answerMs = 10_000, url = between.url): Engine {
    const engine = rig.connect(url, { answerMs });
    opened.push(engine);
    return engine;
  }

  const fresh = (job: EngineJob, changes: Partial<EngineJob> = {}): EngineJob => ({
    ...job,
    requestId: randomUUID(),
    ...changes,
  });

  async function start(engine: Engine, job: EngineJob): Promise<EngineRef> {
    return engine.submit(job, engine.reserve(job), context);
  }

  async function until(engine: Engine, ref: EngineRef, wanted: (snapshot: Snapshot) => boolean): Promise<Snapshot> {
    for (;;) {
      const snapshot = await engine.poll(ref, context);
      if (wanted(snapshot)) return snapshot;
      if (FINAL.has(snapshot.state)) expect.fail(`the job is ${JSON.stringify(snapshot)}`);
      await pause(20);
    }
  }

  const end = (engine: Engine, ref: EngineRef) => until(engine, ref, ({ state }) => FINAL.has(state));
  const running = (engine: Engine, ref: EngineRef) => until(engine, ref, ({ state }) => state === 'running');

  async function read(engine: Engine, ref: EngineRef): Promise<Buffer> {
    const last = await end(engine, ref);
    if (last.state !== 'succeeded') throw (last.state === 'failed' && last.error) || new Error(last.state);
    return buffer(await engine.collect(last.output, context));
  }

  /** Returns the error with which a job fails, at submit or later. */
  async function failure(engine: Engine, job: EngineJob): Promise<EngineError> {
    const last = await start(engine, job)
      .then(ref => end(engine, ref))
      .catch((error: unknown) => ({ state: 'failed' as const, error }));
    expect(last).toMatchObject({ state: 'failed', error: { name: 'EngineError' } });
    return (last as { error: EngineError }).error;
  }

  test(`${name}: the engine has the expected traits`, () => {
    expect(open().traits).toEqual(traits);
  });

  test(`${name}: a probe reports whether the server works, and never throws`, async () => {
    expect(await open().probe()).toMatchObject({ ok: true, models: expect.any(Array) });
    for (const fault of BROKEN) {
      between.fault = fault;
      const found = await open(200).probe();
      expect(found, String(fault)).toMatchObject({ ok: false, detail: expect.stringMatching(/./) });
      if (rig.secret) expect(found.detail).not.toContain(rig.secret);
    }
    between.fault = 'none';
    expect(await open(200, 'http://127.0.0.1:1').probe()).toMatchObject({ ok: false });
  });

  test(`${name}: a job runs from its submit to the download of its output`, async () => {
    const engine = open();
    for (const job of [rig.jobs.plain, ...(rig.jobs.more ?? [])]) {
      const ref = await start(engine, fresh(job));
      const bytes = await read(engine, ref);
      expect(bytes.length).toBeGreaterThan(100);
      expect(await engine.poll(ref, context)).toMatchObject({
        state: 'succeeded',
        output: { contentType: expect.stringMatching(`^${job.output.type}/`) },
      });
    }
  });

  test(`${name}: progress never decreases, and a watch ends with its job`, async ({ skip }) => {
    const engine = open();
    skip(!engine.watch, 'jobs are not watched');
    const ref = await start(engine, fresh(rig.jobs.plain));
    const seen: Snapshot[] = [];
    for await (const snapshot of engine.watch!(ref, context)) seen.push(snapshot);
    const steps = seen.flatMap(snapshot => (snapshot.state === 'running' ? (snapshot.progress ?? []) : []));
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    for (const step of steps) expect(step >= 0 && step <= 1).toBe(true);
    if (engine.traits.progress === 'steps' && rig.restart) expect(steps.length).toBeGreaterThan(0);
    expect(await end(engine, ref)).toMatchObject({ state: 'succeeded' });
    // watching a finished job ends without waiting
    for await (const { state } of engine.watch!(ref, context)) expect(state).not.toBe('queued');
  });

  test(`${name}: aborting the signal of a watch ends the watch but not the job`, async ({ skip }) => {
    const engine = open(1_000);
    skip(!engine.watch, 'jobs are not watched');
    const job = fresh(rig.jobs.long);
    const ref = await start(engine, job);
    const stop = new AbortController();
    const watched = (async () => {
      for await (const { state } of engine.watch!(ref, { signal: stop.signal }))
        if (state === 'running') stop.abort('enough');
    })();
    await watched.catch((error: unknown) => expect(error).toBe('enough'));
    if (engine.traits.resumable) expect(await engine.poll(ref, context)).toMatchObject({ state: 'running' });
    await engine.cancel(ref);
  });

  test(`${name}: the same seed gives the same output, and another seed gives another output`, async () => {
    const engine = open();
    const draw = async (seed: number) => {
      const bytes = await read(engine, await start(engine, fresh(rig.jobs.plain, { seed })));
      return rig.jobs.plain.output.type === 'image' ? sharp(bytes).raw().toBuffer() : bytes;
    };
    const [first, same, other] = [await draw(7), await draw(7), await draw(8)];
    expect(first.equals(same)).toBe(true);
    expect(first.equals(other)).toBe(false);
  });

  test(`${name}: cancelling a queued job does not affect the running job`, async ({ skip }) => {
    const engine = open();
    skip(!engine.traits.cancelQueued || !engine.traits.clientChosenId, 'what waits cannot be cancelled');
    const before = await start(engine, fresh(rig.jobs.long));
    await running(engine, before);
    const waiting = await start(engine, fresh(rig.jobs.plain));
    expect(await engine.poll(waiting, context)).toMatchObject({ state: 'queued' });
    expect(await engine.cancel(waiting)).toBe('cancelled');
    expect((await engine.poll(waiting, context)).state).toMatch(/^(lost|cancelled)$/);
    expect(await engine.poll(before, context)).toMatchObject({ state: 'running' });
    await engine.cancel(before);
    expect((await end(engine, before)).state).toMatch(/^(lost|cancelled)$/);
  });

  test(`${name}: cancelling a running job lets the next job run`, async ({ skip }) => {
    const engine = open();
    skip(!engine.traits.cancelRunning, 'what runs cannot be cancelled');
    const ref = await start(engine, fresh(rig.jobs.long));
    await running(engine, ref);
    const next = engine.traits.clientChosenId ? await start(engine, fresh(rig.jobs.plain)) : null;
    expect(await engine.cancel(ref)).toMatch(/^(cancelled|requested)$/);
    expect((await end(engine, ref)).state).toMatch(/^(lost|cancelled)$/);
    expect(await engine.cancel(ref)).toBe('too_late');
    const after = next ?? (await start(engine, fresh(rig.jobs.plain)));
    expect(await end(engine, after)).toMatchObject({ state: 'succeeded' });
    expect(await engine.cancel(after)).toBe('too_late');
  });

  test(`${name}: a new worker finds the job of a killed worker`, async ({ skip }) => {
    const killed = open();
    skip(!killed.traits.resumable, 'a job ends with its worker');
    const job = fresh(rig.jobs.plain);
    const ref = await start(killed, job);
    await killed.close?.();
    const saved = JSON.parse(JSON.stringify(ref)) as EngineRef;
    expect((await read(open(), saved)).length).toBeGreaterThan(100);
  });

  test(`${name}: a worker finishes a job that another worker had to leave`, async () => {
    const job = fresh(rig.jobs.plain);
    let saved: EngineRef | null = null;
    const drive = (engine: Engine, signal: AbortSignal, onSnapshot = () => {}) =>
      driveEngine({
        engine,
        job,
        saved,
        signal,
        onSnapshot,
        stallMs: 60_000,
        // the JSON round trip matches what the database returns
        saveRef: async ref => void (saved = JSON.parse(JSON.stringify(ref)) as EngineRef),
      });
    const [leaving, next] = [open(), open()];
    const stop = new AbortController();
    await expect(drive(leaving, stop.signal, () => stop.abort(new Error('drained')))).rejects.toThrow('drained');
    await leaving.close?.();
    const output = await drive(next, live.signal);
    const { type } = job.output;
    await inTemporaryFolder(async folder => {
      const file = await collectOutput(next, output, job, folder, context);
      expect(file.contentType).toBe({ image: 'image/png', video: 'video/mp4', audio: 'audio/mpeg' }[type]);
    });
  });

  test(`${name}: a job that is submitted twice runs once`, async ({ skip }) => {
    const engine = open();
    skip(!engine.traits.clientChosenId, 'the server chooses the ids');
    const count = rig.submissions?.();
    const job = fresh(rig.jobs.plain);
    const first = await start(engine, job);
    const second = await start(engine.traits.resumable ? open() : engine, job);
    expect(second.id).toBe(first.id);
    await end(engine, second);
    await start(engine, job);
    if (count !== undefined) expect(rig.submissions?.()).toBe(count + 1);
    expect(engine.reserve({ ...job, attempt: job.attempt + 1 }).id).not.toBe(first.id);
  });

  test(`${name}: a job with an unknown id is lost`, async ({ skip }) => {
    const engine = open();
    const { resumable, clientChosenId } = engine.traits;
    skip(!resumable || !clientChosenId, 'no id is known before a job is');
    const ref = engine.reserve(fresh(rig.jobs.plain));
    expect(await engine.poll(ref, context)).toEqual({ state: 'lost' });
    expect(await engine.cancel(ref)).toBe('too_late');
  });

  test(`${name}: a job is lost when its server restarts, and succeeds when it is submitted again`, async ({ skip }) => {
    skip(!rig.restart, 'the server is not ours to restart');
    const engine = open();
    const job = fresh(rig.jobs.long);
    const count = rig.submissions?.();
    const ref = await start(engine, job);
    await running(engine, ref);
    // an engine with held-open calls reports `running` before the server has received the job
    while (count !== undefined && rig.submissions?.() === count) await pause(5);
    const watching = (async () => {
      if (engine.watch) for await (const _ of engine.watch(ref, context));
    })();
    await rig.restart!();
    await watching.catch((error: unknown) => expect(error).toBeInstanceOf(EngineError));
    if (!engine.traits.resumable) return;
    expect(await engine.poll(ref, context)).toEqual({ state: 'lost' });
    const again = await engine.submit({ ...rig.jobs.plain, requestId: job.requestId }, ref, context);
    expect(await end(engine, again)).toMatchObject({ state: 'succeeded' });
  });

  test.each(BROKEN)(
    `${name}: a server that answers %s causes an EngineError, and works again after it recovers`,
    async fault => {
      const [engine, patient] = [open(200), open()];
      // an engine with held-open calls waits for a silent server by design
      if (fault === 'silent' && !engine.traits.resumable) return;
      const ref = await start(patient, fresh(rig.jobs.plain));
      const last = await end(patient, ref);
      if (last.state !== 'succeeded') expect.fail(last.state);
      between.fault = fault;
      const errors: unknown[] = [await failure(engine, fresh(rig.jobs.plain))];
      const caught = (error: unknown) => void errors.push(error);
      if (engine.traits.resumable) {
        await engine.poll(ref, context).catch(caught);
        await engine.cancel(ref).catch(caught);
        // a wrong file with status 200 is detected only when it is stored
        const isAnswer = rig.elsewhere || fault === 'page' || fault === 'nonsense';
        if (!isAnswer) await engine.collect(last.output, context).then(buffer).catch(caught);
        expect(errors).toHaveLength(isAnswer ? 3 : 4);
      }
      between.fault = 'none';
      for (const error of errors) {
        expect(error).toBeInstanceOf(EngineError);
        const { message } = error as EngineError;
        expect(message.length).toBeLessThan(2_000);
        if (rig.secret) expect(message).not.toContain(rig.secret);
      }
      if (engine.traits.resumable) expect(await engine.poll(ref, context)).toEqual(last);
      expect(await end(engine, await start(engine, fresh(rig.jobs.plain)))).toMatchObject({ state: 'succeeded' });
    },
  );

  test(`${name}: a job succeeds on a slow server`, async () => {
    between.fault = 'slow';
    const engine = open();
    expect((await read(engine, await start(engine, fresh(rig.jobs.plain)))).length).toBeGreaterThan(100);
    between.fault = 'none';
  });

  test(`${name}: an unreachable server is reported as unavailable`, async () => {
    const engine = open(1_000, 'http://127.0.0.1:1');
    expect(await failure(engine, fresh(rig.jobs.plain))).toMatchObject({ code: 'engine_unavailable', retryable: true });
  });

  test(`${name}: an aborted call rejects with its abort reason`, async () => {
    const engine = open();
    between.fault = 'silent';
    const stop = new AbortController();
    const job = fresh(rig.jobs.plain);
    const asked = engine.submit(job, engine.reserve(job), { signal: stop.signal });
    stop.abort(new Error('nobody wants it'));
    await expect(asked.then(ref => engine.poll(ref, { signal: stop.signal }))).rejects.toThrow('nobody wants it');
    between.fault = 'none';
  });

  test(`${name}: a job that makes two files has one of them as its result`, async ({ skip }) => {
    skip(!rig.jobs.two, 'no job makes two files');
    const engine = open();
    expect((await read(engine, await start(engine, fresh(rig.jobs.two!)))).length).toBeGreaterThan(100);
  });

  test(`${name}: a job that makes no file, or a file of another type, fails with a message`, async ({ skip }) => {
    const jobs = [rig.jobs.none, rig.jobs.wrong].filter(job => job !== undefined);
    skip(jobs.length === 0, 'no job does');
    for (const job of jobs) expect((await failure(open(), fresh(job))).message).toMatch(/./);
  });

  test(`${name}: a missing model is reported by name, and running out of memory by its own code`, async ({ skip }) => {
    const { missing, memory } = rig.jobs;
    skip(!missing && !memory, 'no job lacks any');
    if (missing) {
      const error = await failure(open(), fresh(missing.job));
      expect(error).toMatchObject({ code: 'model_missing', message: expect.stringContaining(missing.name) });
    }
    if (memory) expect(await failure(open(), fresh(memory))).toMatchObject({ code: 'out_of_memory' });
  });

  test(`${name}: a file of more than 200 MB is streamed with less than 100 MB of memory`, async ({ skip }) => {
    skip(!rig.jobs.huge, 'no job makes a huge file');
    const engine = open(10_000, rig.url);
    const { most, bytes } = await watchMemory(async () => {
      const last = await end(engine, await start(engine, fresh(rig.jobs.huge!)));
      if (last.state !== 'succeeded') expect.fail(last.state);
      let bytes = 0;
      for await (const chunk of await engine.collect(last.output, context)) bytes += (chunk as Buffer).length;
      return bytes;
    });
    expect(bytes).toBeGreaterThan(200_000_000);
    // includes the memory that the test server needs to make the file
    expect(most).toBeLessThan(100_000_000);
  });
}

/** Measures the peak memory in use while `run` runs, excluding garbage, in bytes. */
async function watchMemory(run: () => Promise<number>): Promise<{ most: number; bytes: number }> {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const inUse = () => {
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = inUse();
  let most = 0;
  const looking = setInterval(() => (most = Math.max(most, inUse() - before)), 500);
  try {
    const bytes = await run();
    return { bytes, most };
  } finally {
    clearInterval(looking);
  }
}

/** Writes a temporary input file for a job; `remove` deletes it. */
export async function writeInput(
  bytes: Uint8Array,
  fileName: string,
): Promise<{ path: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'engine-input-'));
  const path = join(folder, fileName);
  await writeFile(path, bytes);
  return { path, remove: () => rm(folder, { recursive: true }) };
}
