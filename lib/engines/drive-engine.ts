import { setTimeout as delay } from 'node:timers/promises';
import {
  EngineError,
  type Engine,
  type EngineJob,
  type EngineOutput,
  type EngineRef,
  type Snapshot,
} from '#lib/engines/engine';

const POLL_MS = 1_000;

export interface Drive {
  engine: Engine;
  job: EngineJob;
  /** The ref that an earlier holder saved for this server, if any. */
  saved: EngineRef | null;
  saveRef: (ref: EngineRef) => Promise<void>;
  onSnapshot: (snapshot: Snapshot) => void;
  /** Aborted when nobody wants the output any more, or when this worker stops. */
  signal: AbortSignal;
  /** A job from which nothing new is heard for so long has stalled. */
  stallMs: number;
}

/**
 * Brings a job to its output: re-attaches to a saved one where the engine can, submits it otherwise. A job that stalls is stopped
 * at the engine. Throws `EngineError`, or the reason of the signal.
 */
export async function driveEngine(drive: Drive): Promise<EngineOutput> {
  const { engine, saved, signal } = drive;
  const resumed = saved && engine.traits.resumable ? await engine.poll(saved, { signal }) : null;
  const ref = saved && resumed && resumed.state !== 'lost' ? saved : await submit(drive);
  const stall = stallTimer(drive.stallMs);
  try {
    return await watchUntilDone(drive, ref, stall);
  } catch (error) {
    if (!stall.signal.aborted || signal.aborted) throw error;
    await engine.cancel(ref);
    throw new EngineError('timeout', `nothing was heard of the job for ${drive.stallMs / 1000} s`, false);
  } finally {
    stall.clear();
  }
}

async function submit({ engine, job, saveRef, signal }: Drive): Promise<EngineRef> {
  const reserved = engine.reserve(job);
  // saved before the engine hears of it: a crash in between must not leave a job that nobody knows
  await saveRef(reserved);
  const ref = await engine.submit(job, reserved, { signal });
  if (ref !== reserved) await saveRef(ref);
  return ref;
}

interface StallTimer {
  signal: AbortSignal;
  /** Something new was heard. */
  news(snapshot: Snapshot): void;
  clear(): void;
}

function stallTimer(stallMs: number): StallTimer {
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(), stallMs);
  let heard = '';
  return {
    signal: stalled.signal,
    news(snapshot) {
      const now = JSON.stringify([snapshot.state, 'progress' in snapshot && snapshot.progress, 'frame' in snapshot]);
      // a job that waits at its engine for others has not stalled
      if (now === heard && snapshot.state !== 'queued' && !('frame' in snapshot)) return;
      heard = now;
      timer.refresh();
    },
    clear: () => clearTimeout(timer),
  };
}

async function watchUntilDone(
  { engine, onSnapshot, signal }: Drive,
  ref: EngineRef,
  stall: StallTimer,
): Promise<EngineOutput> {
  const context = { signal: AbortSignal.any([signal, stall.signal]) };
  const note = (snapshot: Snapshot) => {
    stall.news(snapshot);
    onSnapshot(snapshot);
  };
  for (;;) {
    if (engine.watch) for await (const snapshot of engine.watch(ref, context)) note(snapshot);
    context.signal.throwIfAborted();
    const snapshot = await engine.poll(ref, context);
    switch (snapshot.state) {
      case 'succeeded':
        return snapshot.output;
      case 'failed':
        throw snapshot.error;
      case 'cancelled':
        throw new EngineError('engine_error', 'the engine cancelled the job', true);
      case 'lost':
        throw new LostJob();
      default:
        note(snapshot);
    }
    await delay(POLL_MS, undefined, context);
  }
}

/** The engine took the job and does not know it any more: it was restarted, and perhaps the job made it fall. */
export class LostJob extends EngineError {
  constructor() {
    super('engine_unavailable', 'the engine lost the job', true);
  }
}
