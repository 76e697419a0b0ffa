import { setTimeout as pause } from 'node:timers/promises';
import {
  EngineError,
  isEnded,
  type Ended,
  type Engine,
  type EngineJob,
  type EngineOutput,
  type EngineRef,
  type Snapshot,
} from '#lib/engines/engine';
import { LostAnswer } from '#lib/engines/engine-http';
import { EngineRefusal } from '#lib/engines/engine-refusal';
import { callOff } from '#lib/engines/remote/hand-over';

const POLL_MS = 1_000;

interface Drive {
  engine: Engine;
  job: EngineJob;
  /** The ref that an earlier holder saved for this server, if any. */
  saved: EngineRef | null;
  /** Null: there is no job to come back to. */
  saveRef: (ref: EngineRef | null) => Promise<void>;
  onSnapshot: (snapshot: Snapshot) => void;
  /** Aborted when nobody wants the output any more, or when this worker stops. */
  signal: AbortSignal;
  /** A job from which nothing new is heard for so long has stalled, or stands in a queue that has. */
  stallMs: number;
}

/**
 * Brings a job to its output: re-attaches to a saved one where the engine can, submits it otherwise. A job that stalls is stopped
 * at the engine. Throws `EngineError`, or the reason of the signal. The saved ref is forgotten when the engine never had the job,
 * when that came to a bad end or was lost, or when it was taken out of a queue, and only then: one that the engine does not tell
 * about now may be running or done, and paid for. One that is lost is not submitted here: whoever holds it next does, and counts.
 */
export async function driveEngine(drive: Drive): Promise<EngineOutput> {
  const { engine, saved, saveRef } = drive;
  const ref = saved && engine.traits.resumable ? saved : await submit(drive);
  const isThere = ref !== saved || (await mayHave(ref, drive));
  const last = isThere ? await watchUntilDone(ref, drive) : { state: 'lost' as const };
  if (last.state === 'succeeded') return last.output;
  await saveRef(null);
  throw errorOf(last);
}

/** Whether the engine has a job, or fails to say so: whoever watches it asks again. */
async function mayHave(ref: EngineRef, { engine, signal }: Drive): Promise<boolean> {
  try {
    return (await engine.poll(ref, { signal })).state !== 'lost';
  } catch (error) {
    if (error instanceof EngineError && error.code === 'engine_error' && error.retryable) return true;
    throw error;
  }
}

async function submit({ engine, job, saveRef, signal }: Drive): Promise<EngineRef> {
  const reserved = engine.reserve(job);
  // saved before the engine hears of it: a crash in between must not leave a job that nobody knows
  await saveRef(reserved);
  const ref = await engine.submit(job, reserved, { signal }).catch(async (error: unknown) => {
    if (error instanceof EngineError && !mayHaveTaken(error)) await saveRef(null);
    throw error;
  });
  if (ref !== reserved)
    await saveRef(ref).catch(async (error: unknown) => {
      // nobody would find it
      await callOff(engine.cancel(ref));
      throw error;
    });
  return ref;
}

/** Whether an engine that did not say that it took a job may have taken it all the same. */
const mayHaveTaken = (error: EngineError): boolean =>
  error.code === 'engine_unavailable' &&
  error.retryable &&
  (error instanceof LostAnswer || error instanceof EngineRefusal);

async function watchUntilDone(ref: EngineRef, drive: Drive): Promise<Ended> {
  const stall = stallTimer(drive.stallMs);
  try {
    return await watch(ref, drive, stall);
  } catch (error) {
    if (!stall.signal.aborted || drive.signal.aborted) throw error;
    const outcome = await drive.engine.cancel(ref);
    const seconds = drive.stallMs / 1000;
    if (!stall.isQueued()) throw new EngineError('timeout', `nothing was heard of the job for ${seconds} s`, false);
    // one that was not to be taken out any more is found there again
    if (outcome !== 'too_late') await drive.saveRef(null);
    throw new StuckInQueue(seconds);
  } finally {
    stall.clear();
  }
}

async function watch(ref: EngineRef, { engine, onSnapshot, signal }: Drive, stall: StallTimer): Promise<Ended> {
  const context = { signal: AbortSignal.any([signal, stall.signal]) };
  let most = 0;
  const note = (snapshot: Snapshot) => {
    stall.news(snapshot);
    if (snapshot.state !== 'running' || snapshot.progress === undefined) return onSnapshot(snapshot);
    // the next stage of a job begins at nothing again, and so does whoever watches it anew
    most = Math.max(most, snapshot.progress);
    onSnapshot({ ...snapshot, progress: most });
  };
  for (;;) {
    if (engine.watch) for await (const snapshot of engine.watch(ref, context)) note(snapshot);
    context.signal.throwIfAborted();
    const snapshot = await engine.poll(ref, context);
    if (isEnded(snapshot)) return snapshot;
    note(snapshot);
    await pause(POLL_MS, undefined, context);
  }
}

function errorOf(ended: Exclude<Ended, { state: 'succeeded' }>): EngineError {
  if (ended.state === 'failed') return ended.error;
  if (ended.state === 'lost') return new LostJob();
  return new EngineError('engine_error', 'the engine cancelled the job', true);
}

interface StallTimer {
  signal: AbortSignal;
  /** Perhaps something new was heard. */
  news(snapshot: Snapshot): void;
  /** Whether the job was last heard of in a queue. */
  isQueued(): boolean;
  clear(): void;
}

function stallTimer(stallMs: number): StallTimer {
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(), stallMs);
  let heard: { state?: Snapshot['state']; at?: number | undefined } = {};
  return {
    signal: stalled.signal,
    news(snapshot) {
      const { state } = snapshot;
      const before = state === heard.state ? heard.at : undefined;
      // a poll may not know what was told before
      const at = placeOf(snapshot) ?? before;
      const isSame = state === heard.state && at === before;
      // of a queue in which no places are told nobody knows whether it moves
      const isSign = state === 'queued' ? at === undefined : 'frame' in snapshot || 'told' in snapshot;
      if (isSame && !isSign) return;
      heard = { state, at };
      timer.refresh();
    },
    isQueued: () => heard.state === 'queued',
    clear: () => clearTimeout(timer),
  };
}

/** Where a job is in its queue or its work. */
function placeOf(snapshot: Snapshot): number | undefined {
  if (snapshot.state === 'queued') return snapshot.position;
  return snapshot.state === 'running' ? snapshot.progress : undefined;
}

/** The job did not move in the queue of its engine: one before it hangs there, or is a long one. */
export class StuckInQueue extends EngineError {
  constructor(seconds: number) {
    super('engine_unavailable', `the job did not move in its queue for ${seconds} s`, true);
  }
}

/** The engine took the job and does not know it any more: it was restarted, and perhaps the job made it fall. */
export class LostJob extends EngineError {
  constructor() {
    super('engine_unavailable', 'the engine lost the job', true);
  }
}
