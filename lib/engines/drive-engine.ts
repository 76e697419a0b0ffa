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
  /** Ref that an earlier holder saved for this server, if any. */
  saved: EngineRef | null;
  /** Saves the ref with the request; null means that the engine has no job to resume. */
  saveRef: (ref: EngineRef | null) => Promise<void>;
  onSnapshot: (snapshot: Snapshot) => void;
  /** Aborted when the output is no longer wanted, or when this worker stops. */
  signal: AbortSignal;
  /** Milliseconds without news after which a job, or the queue it waits in, counts as stalled. */
  stallMs: number;
}

/**
 * Drives a job to its output: re-attaches to a saved job where the engine is resumable, and submits it otherwise. A
 * stalled job is cancelled at the engine. The saved ref is cleared only when the engine never took the job, when the
 * job failed, was cancelled or lost, or when it was removed from a queue: while the engine gives no answer, the job may
 * be running or done, and paid for. A lost job is not resubmitted here, so that the next claim can count the loss.
 * Throws `EngineError`, or the reason of the signal.
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

/** Whether the engine may have the job. A retryable `engine_error` counts as yes, since `watch` polls again. */
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
  // saved before the submit, so that a crash in between does not leave an unknown job at the engine
  await saveRef(reserved);
  const ref = await engine.submit(job, reserved, { signal }).catch(async (error: unknown) => {
    if (error instanceof EngineError && !mayHaveTaken(error)) await saveRef(null);
    throw error;
  });
  if (ref !== reserved)
    await saveRef(ref).catch(async (error: unknown) => {
      // without a saved ref no process could find the job again
      await callOff(engine.cancel(ref));
      throw error;
    });
  return ref;
}

/** Whether the engine may have taken the job although the submit failed. */
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
    // a job that could not be removed from the queue is resumed there later
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
    // reported progress never falls, although each stage of a job and each new watch starts at zero
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
  /** Restarts the timer when the snapshot shows that the job or its queue moved. */
  news(snapshot: Snapshot): void;
  /** Whether the last snapshot showed the job in a queue. */
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
      // a poll may omit the position or progress that an earlier snapshot had
      const at = placeOf(snapshot) ?? before;
      const isSame = state === heard.state && at === before;
      // a queue that reports no positions may be moving, so each snapshot of it counts as news
      const isSign = state === 'queued' ? at === undefined : 'frame' in snapshot || 'told' in snapshot;
      if (isSame && !isSign) return;
      heard = { state, at };
      timer.refresh();
    },
    isQueued: () => heard.state === 'queued',
    clear: () => clearTimeout(timer),
  };
}

/** Returns the queue position or the progress of a job. */
function placeOf(snapshot: Snapshot): number | undefined {
  if (snapshot.state === 'queued') return snapshot.position;
  return snapshot.state === 'running' ? snapshot.progress : undefined;
}

/** The job did not move in the engine's queue: a job ahead of it hangs or takes long. */
export class StuckInQueue extends EngineError {
  constructor(seconds: number) {
    super('engine_unavailable', `the job did not move in its queue for ${seconds} s`, true);
  }
}

/** The engine no longer knows a job that it took: the engine was restarted, perhaps because the job crashed it. */
export class LostJob extends EngineError {
  constructor() {
    super('engine_unavailable', 'the engine lost the job', true);
  }
}
