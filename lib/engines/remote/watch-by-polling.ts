import { setTimeout as pause } from 'node:timers/promises';
import {
  EngineError,
  isEnded,
  type Engine,
  type EngineContext,
  type EngineRef,
  type Snapshot,
} from '#lib/engines/engine';

/** The pause between two questions grows to this: services count questions, and nobody feels five seconds of a minute. */
const LONGEST_MS = 5_000;
/** A server that does not answer for so long is left to whoever drives the job. */
const PATIENCE_MS = 60_000;

/** The states of a job at a server that tells nothing by itself: asked for in growing pauses until the job is over. */
export async function* watchByPolling(
  poll: Engine['poll'],
  ref: EngineRef,
  context: EngineContext,
  firstMs: number,
): AsyncGenerator<Snapshot> {
  let silentSince: number | undefined;
  for (let waitMs = firstMs; ; waitMs = Math.min(waitMs * 1.3, Math.max(firstMs, LONGEST_MS))) {
    try {
      const snapshot = await poll(ref, context);
      silentSince = undefined;
      yield snapshot;
      if (isEnded(snapshot)) return;
    } catch (error) {
      silentSince ??= performance.now();
      const mayPass = error instanceof EngineError && error.retryable && performance.now() - silentSince < PATIENCE_MS;
      if (!mayPass) throw error;
      // whoever is to ask again tomorrow finds out in a minute whether the job is left
      waitMs = Math.max(waitMs, Math.min((error.retryAfter ?? 0) * 1000, PATIENCE_MS));
    }
    await pause(waitMs, undefined, context).catch(() => context.signal.throwIfAborted());
  }
}

/**
 * How far a model says that it is, in logs with progress bars such as ` 45%|████     | 9/20`. A full one says that a stage is over,
 * which is mostly that of loading at first.
 */
export function progressIn(logs: string | null | undefined): number | undefined {
  const bars = logs?.slice(-4000).match(/\d{1,3}%\|/g);
  const percent = parseInt(bars?.at(-1) ?? '', 10);
  return percent < 100 ? percent / 100 : undefined;
}
