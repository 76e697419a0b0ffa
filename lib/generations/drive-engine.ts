import { setTimeout as delay } from 'node:timers/promises';
import {
  EngineError,
  type Engine,
  type EngineContext,
  type EngineJob,
  type EngineOutput,
  type EngineRef,
  type Snapshot,
} from '#lib/engines/engine';

const POLL_MS = 1_000;

export interface Drive {
  engine: Engine;
  job: EngineJob;
  /** The ref that an earlier attempt saved, if any. */
  saved: EngineRef | null;
  saveRef: (ref: EngineRef) => Promise<void>;
  onProgress: (progress: number) => void;
  context: EngineContext;
  /** Aborted when nobody wants the output any more; a worker that merely stops leaves the job to its successor. */
  abandoned: AbortSignal;
}

/** Brings a job to its output: re-attaches to a saved one where the engine can, submits it otherwise. Throws `EngineError`. */
export async function driveEngine(drive: Drive): Promise<EngineOutput> {
  const { engine, saved, context } = drive;
  const resumed = saved && engine.traits.resumable ? await engine.poll(saved, context) : null;
  const ref = saved && resumed && resumed.state !== 'lost' ? saved : await submit(drive);
  try {
    return await watchUntilDone(drive, ref);
  } catch (error) {
    if (drive.abandoned.aborted) await engine.cancel(ref);
    throw error;
  }
}

async function submit({ engine, job, saveRef, context }: Drive): Promise<EngineRef> {
  const reserved = engine.reserve(job);
  // saved before the engine hears of it: a crash in between must not leave a job that nobody knows
  await saveRef(reserved);
  const ref = await engine.submit(job, reserved, context);
  if (ref !== reserved) await saveRef(ref);
  return ref;
}

async function watchUntilDone({ engine, onProgress, context }: Drive, ref: EngineRef): Promise<EngineOutput> {
  for (;;) {
    if (engine.watch) for await (const snapshot of engine.watch(ref, context)) noteProgress(snapshot, onProgress);
    const snapshot = await engine.poll(ref, context);
    switch (snapshot.state) {
      case 'succeeded':
        return snapshot.output;
      case 'failed':
        throw snapshot.error;
      case 'cancelled':
        throw new EngineError('engine_error', 'the engine cancelled the job', true);
      case 'lost':
        throw new EngineError('engine_unavailable', 'the engine lost the job', true);
      default:
        noteProgress(snapshot, onProgress);
    }
    await delay(POLL_MS, undefined, { signal: context.signal });
  }
}

function noteProgress(snapshot: Snapshot, onProgress: (progress: number) => void): void {
  if (snapshot.state === 'running' && snapshot.progress !== undefined) onProgress(snapshot.progress);
}
