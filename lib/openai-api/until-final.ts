import { setTimeout as pause } from 'node:timers/promises';
import type { Readable, Shown } from '#lib/generations/read';
import { waitForGeneration } from '#lib/generations/wait';
import { stopping } from '#lib/process/stopping';
import { isFinal } from '#lib/status';

const ROUND_SECONDS = 30;
/** Maximum wait before the first byte of an answer: proxies in front time out after a minute. */
export const FIRST_BYTE_SECONDS = 55;

/** Maximum wait once this process stops: connections close after 25 s, and a client without an answer may pay again. */
const LAST_SECONDS = 20;

/** Returns the request once it is final, or as it is when the client left, time is up or this process must end. */
export async function untilFinal({ accountId, id }: Shown, signal: AbortSignal, seconds = Infinity): Promise<Readable> {
  let deadline = performance.now() + seconds * 1000;
  let last: number | undefined;
  for (;;) {
    const round = Math.min(ROUND_SECONDS, Math.max(0, (deadline - performance.now()) / 1000));
    const generation = await waitForGeneration({ accountId, id, seconds: round, clientGone: signal });
    if (stopping().signal.aborted) deadline = Math.min(deadline, (last ??= performance.now() + LAST_SECONDS * 1000));
    if (isFinal(generation.status) || signal.aborted || performance.now() >= deadline) return generation;
    // `waitForGeneration` answers immediately when this process stops or too many polls wait already
    await pause(1_000, undefined, { signal }).catch(() => {});
  }
}
