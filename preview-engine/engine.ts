import { EventEmitter, on, once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Piscina } from 'piscina';
import { EngineError, isEnded } from '#lib/engines/engine';
import type { Engine, EngineContext, EngineJob, EngineRef, Snapshot } from '#lib/engines/engine';
import { UnusableMedia } from '#lib/media/unusable-media';
import { makeTemporaryFolder } from '#lib/process/temporary-folder';
import { remakeInputs } from '#preview-engine/remake-inputs';
import { LOADING, STOP } from '#preview-engine/render-thread';
import type { RenderResult, RenderTask } from '#preview-engine/render-thread';

export interface PreviewOptions {
  /** Jobs rendered at a time, each in its own thread. */
  concurrency: number;
  /** The module that renders; tests put their own here. */
  threadFile?: URL;
}

interface Running {
  snapshot: Snapshot;
  readonly changes: EventEmitter;
  readonly abort: AbortController;
  /** Settles when nothing of the job runs any more. */
  ended: Promise<void>;
}

/**
 * A thread that is told to stop leaves at its next report. One that does not come to report is ended from outside, which is
 * the last resort: inside the codecs, or while it loads them, it would end the whole process.
 */
const GRACE_MS = 1_500;

/** Finished jobs whose state is kept for a late poll. */
const REMEMBERED = 200;
const EXTENSIONS = { image: 'png', video: 'mp4', audio: 'mp3' } as const;

/**
 * The preview engine: draws, animates and composes from prompt, seed and given media, without weights. Rendering runs in
 * worker threads that start with the first job and end when idle.
 */
export function createPreviewEngine(options: PreviewOptions): Required<Engine> {
  const jobs = new Map<string, Running>();
  let pool: Piscina<RenderTask, RenderResult> | undefined;

  const threads = () =>
    (pool ??= new Piscina<RenderTask, RenderResult>({
      filename: (options.threadFile ?? new URL(/* turbopackIgnore: true */ './render-thread.ts', import.meta.url)).href,
      minThreads: 0,
      maxThreads: options.concurrency,
      idleTimeout: 30_000,
      atomics: 'disabled',
      resourceLimits: { maxOldGenerationSizeMb: 1024 },
    }));

  function update(running: Running, snapshot: Snapshot): void {
    if (isEnded(running.snapshot)) return;
    running.snapshot = snapshot;
    running.changes.emit('change');
    if (isEnded(snapshot)) running.changes.emit('end');
  }

  async function render(job: EngineJob, running: Running): Promise<Snapshot> {
    // one that lasts would be swept as left behind when nothing came for two days
    const folder = await makeTemporaryFolder();
    const path = join(folder, `output.${EXTENSIONS[job.output.type]}`);
    const given = join(folder, 'inputs');
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }: MessageEvent<number>) => update(running, { state: 'running', progress: data });
    const { flags, end, settled } = stopping(running.abort.signal);
    try {
      await mkdir(given);
      const inputs = await remakeInputs(job, given, running.abort.signal);
      const task = { job: { ...job, inputs }, path, port: port2, flags } as unknown as RenderTask;
      const result = await threads().run(task, { transferList: [port2 as never], signal: end });
      if ('output' in result) return { state: 'succeeded', output: result.output };
      const { message, ...facts } = result.fault;
      throw Object.assign(new Error(message), facts);
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      if (running.abort.signal.aborted) return { state: 'cancelled' };
      throw error;
    } finally {
      await rm(given, { recursive: true, force: true });
      settled();
      port1.close();
    }
  }

  function forgetOldest(): void {
    for (const [id, { snapshot }] of jobs) {
      if (jobs.size <= REMEMBERED) return;
      if (!isEnded(snapshot)) continue;
      jobs.delete(id);
      if (snapshot.state === 'succeeded') void dropOutput(snapshot.output.location);
    }
  }

  const poll = (ref: EngineRef): Snapshot => jobs.get(ref.id)?.snapshot ?? { state: 'lost' };

  return {
    id: 'preview',
    traits: {
      clientChosenId: true,
      resumable: false,
      cancelQueued: true,
      cancelRunning: true,
      progress: 'steps',
    },
    probe: async () => ({ ok: true, models: ['*'], detail: 'Preview engine: serves every architecture' }),
    reserve: job => ({ id: `${job.requestId}-${job.claim}` }),

    async submit(job, ref, context) {
      if (jobs.has(ref.id)) return ref;
      const abort = new AbortController();
      const running: Running = {
        snapshot: { state: 'queued' },
        changes: new EventEmitter(),
        abort,
        ended: Promise.resolve(),
      };
      jobs.set(ref.id, running);
      const stop = () => abort.abort();
      if (context.signal.aborted) stop();
      context.signal.addEventListener('abort', stop, { once: true });
      running.ended = render(job, running)
        .catch((error: unknown): Snapshot => ({ state: 'failed', error: toEngineError(error) }))
        .then(snapshot => {
          context.signal.removeEventListener('abort', stop);
          update(running, snapshot);
          forgetOldest();
        });
      return ref;
    },

    poll: async ref => poll(ref),

    async *watch(ref: EngineRef, context: EngineContext) {
      const running = jobs.get(ref.id);
      let seen = poll(ref);
      yield seen;
      if (!running || isEnded(seen)) return;
      try {
        for await (const _ of on(running.changes, 'change', { signal: context.signal, close: ['end'] })) {
          if (running.snapshot === seen) continue;
          seen = running.snapshot;
          yield seen;
          if (isEnded(seen)) return;
        }
      } catch (error) {
        if (!context.signal.aborted) throw error;
      }
    },

    async cancel(ref) {
      const running = jobs.get(ref.id);
      if (!running || isEnded(poll(ref))) return 'too_late';
      const ended = once(running.changes, 'end');
      running.abort.abort();
      await ended;
      return running.snapshot.state === 'cancelled' ? 'cancelled' : 'too_late';
    },

    async collect(output) {
      const stream = createReadStream(output.location);
      try {
        await once(stream, 'ready');
      } catch (error) {
        throw new EngineError('engine_error', `The rendered file is gone: ${output.location}`, true, { cause: error });
      }
      return stream.once('close', () => void dropOutput(output.location));
    },

    async close() {
      for (const { abort } of jobs.values()) abort.abort();
      await Promise.all([...jobs.values()].map(({ ended }) => ended));
      await pool?.destroy();
      for (const { snapshot } of jobs.values())
        if (snapshot.state === 'succeeded') await dropOutput(snapshot.output.location);
    },
  };
}

/** A rendered file is alone in its folder; best effort, for what stays is swept. */
const dropOutput = (path: string): Promise<void> => rm(dirname(path), { recursive: true, force: true });

/** Passes the wish to stop on to a thread: as a flag at once, and as its end when the flag does nothing. */
function stopping(signal: AbortSignal): { flags: Int32Array; end: AbortSignal; settled: () => void } {
  const flags = new Int32Array(new SharedArrayBuffer(8));
  const end = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const endLater = () =>
    (timer = setTimeout(() => (Atomics.load(flags, LOADING) ? endLater() : end.abort()), GRACE_MS));
  const begin = () => {
    Atomics.store(flags, STOP, 1);
    endLater();
  };
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  const settled = () => {
    signal.removeEventListener('abort', begin);
    clearTimeout(timer);
  };
  return { flags, end: end.signal, settled };
}

function toEngineError(error: unknown): EngineError {
  if (error instanceof UnusableMedia) return new EngineError('invalid_input', error.message, false, { cause: error });
  const code = (error as NodeJS.ErrnoException | null)?.code;
  const outOfMemory = code === 'ERR_WORKER_OUT_OF_MEMORY';
  const message = error instanceof Error ? error.message : String(error);
  return new EngineError(outOfMemory ? 'out_of_memory' : 'engine_error', `Render thread: ${message}`, true, {
    cause: error,
  });
}
