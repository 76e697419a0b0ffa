import { setTimeout as pause } from 'node:timers/promises';
import {
  EngineError,
  isEnded,
  type Engine,
  type EngineContext,
  type EngineRef,
  type Snapshot,
} from '#lib/engines/engine';

/**
 * Maximum pause between polls, since services limit their rate, and five seconds hardly matter in a job of a minute.
 */
const LONGEST_MS = 5_000;
/** Milliseconds of failed polls after which the error is passed to the caller. */
const PATIENCE_MS = 60_000;

/** Watches a job at a server without push messages, by polling with back-off until the job ends. */
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
      // a very long Retry-After is capped, so that the patience is checked again after a minute
      waitMs = Math.max(waitMs, Math.min((error.retryAfter ?? 0) * 1000, PATIENCE_MS));
    }
    await pause(waitMs, undefined, context).catch(() => context.signal.throwIfAborted());
  }
}

/**
 * Returns the progress (0..1) from logs with progress bars such as ` 45%|████     | 9/20`. A full bar means only that a
 * stage, usually loading, has ended, so it is ignored.
 */
export function progressIn(logs: string | null | undefined): number | undefined {
  const bars = logs?.slice(-4000).match(/\d{1,3}%\|/g);
  const percent = parseInt(bars?.at(-1) ?? '', 10);
  return percent < 100 ? percent / 100 : undefined;
}
