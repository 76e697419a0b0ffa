import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Piscina } from 'piscina';
import { EngineError, type Engine, type EngineJob, type EngineOutput } from '#lib/engines/engine';
import { createHeldCalls, type Tell } from '#lib/engines/remote/held-calls';
import { UnusableMedia } from '#lib/media/unusable-media';
import { makeTemporaryFolder } from '#lib/process/temporary-folder';
import { remakeInputs } from '#preview-engine/remake-inputs';
import { LOADING, STOP } from '#preview-engine/render-thread';
import type { RenderResult, RenderTask } from '#preview-engine/render-thread';

export interface PreviewOptions {
  /** Maximum number of jobs rendered concurrently, each in its own thread. */
  concurrency: number;
  /** Module of the worker threads; replaced in tests. */
  threadFile?: URL;
}

/**
 * Time that a thread has to stop, which it does at its next report. After that it is terminated, as a last resort:
 * terminating a thread inside the codecs, or while it loads them, would crash the whole process.
 */
const GRACE_MS = 1_500;

const EXTENSIONS = { image: 'png', video: 'mp4', audio: 'mp3' } as const;

/**
 * Creates the preview engine, which draws, animates and composes from prompt, seed and given media, without model
 * weights. It renders in worker threads that start with the first job and end when idle.
 */
export function createPreviewEngine(options: PreviewOptions): Required<Engine> {
  // the id of a call contains the claim, so no call is started a second time
  const held = createHeldCalls({ isThere: () => true, drop: ({ location }) => dropOutput(location) });
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

  async function render(job: EngineJob, signal: AbortSignal, tell: Tell): Promise<EngineOutput> {
    tell({ state: 'queued' });
    // one folder per job: a long-lived folder would be swept as abandoned after two days without a job
    const folder = await makeTemporaryFolder();
    const path = join(folder, `output.${EXTENSIONS[job.output.type]}`);
    const given = join(folder, 'inputs');
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }: MessageEvent<number>) => tell({ state: 'running', progress: data });
    const { flags, end, settled } = stopping(signal);
    try {
      await mkdir(given);
      const inputs = await remakeInputs(job, given, signal);
      const task = { job: { ...job, inputs }, path, port: port2, flags } as unknown as RenderTask;
      const result = await threads().run(task, { transferList: [port2 as never], signal: end });
      if ('output' in result) return result.output;
      const { message, ...facts } = result.fault;
      throw Object.assign(new Error(message), facts);
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw toEngineError(error);
    } finally {
      await rm(given, { recursive: true, force: true });
      settled();
      port1.close();
    }
  }

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
      held.start(ref.id, context, (signal, tell) => render(job, signal, tell));
      return ref;
    },

    poll: held.poll,
    watch: held.watch,
    cancel: held.cancel,

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
      await held.close();
      await pool?.destroy();
    },
  };
}

/** Deletes a rendered file with its folder, which holds nothing else. Best effort: leftovers are swept later. */
const dropOutput = (path: string): Promise<void> => rm(dirname(path), { recursive: true, force: true });

/** Passes an abort on to a thread: first as the flag `STOP`, then by termination when the thread ignores the flag. */
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
