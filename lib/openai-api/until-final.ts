import { setTimeout as pause } from 'node:timers/promises';
import type { Readable, Shown } from '#lib/generations/read';
import { waitForGeneration } from '#lib/generations/wait';
import { stopping } from '#lib/process/stopping';
import { isFinal } from '#lib/status';

const ROUND_SECONDS = 30;
/** Proxies in front wait a minute for a first byte. */
export const FIRST_BYTE_SECONDS = 55;

/** A process that stops hangs up after 25 s. Who waits hears before that how far it is, or would pay for another one. */
const LAST_SECONDS = 20;

/** The request once it is final, or as it is when the client is gone, `seconds` are over, or this process is about to end. */
export async function untilFinal({ accountId, id }: Shown, signal: AbortSignal, seconds = Infinity): Promise<Readable> {
  let deadline = performance.now() + seconds * 1000;
  let last: number | undefined;
  for (;;) {
    const round = Math.min(ROUND_SECONDS, Math.max(0, (deadline - performance.now()) / 1000));
    const generation = await waitForGeneration({ accountId, id, seconds: round, clientGone: signal });
    if (stopping().signal.aborted) deadline = Math.min(deadline, (last ??= performance.now() + LAST_SECONDS * 1000));
    if (isFinal(generation.status) || signal.aborted || performance.now() >= deadline) return generation;
    // where this process stops, or too many wait already, the answer came at once
    await pause(1_000, undefined, { signal }).catch(() => {});
  }
}
