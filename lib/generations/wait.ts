import { EventEmitter, once } from 'node:events';
import { listen } from '#lib/db/listen';
import type { ShownRequest } from '#lib/db/shown-request';
import { env } from '#lib/env';
import { getReadable, type Readable, type Shown } from '#lib/generations/read';
import { isFinal } from '#lib/status';
import { FINAL_CHANNEL } from '#lib/life/finish';
import { noteLimit } from '#lib/limits';
import { singleton } from '#lib/singleton';
import { stopping } from '#lib/process/stopping';
import { tally } from '#lib/tally';

/** Interval at which a waiting poll reads the request, because a notification can be lost with its connection. */
const LOOK_EVERY_MS = 2_000;

/** A long poll for a request. */
interface Poll {
  accountId: string;
  id: string;
  /** Maximum time to wait; 0 to return the current state. */
  seconds: number;
  /** Aborted when the client disconnects. */
  clientGone: AbortSignal;
}

/** Like `waitForGeneration`; returns `found`, which was read during this poll, if no waiting is necessary. */
export async function waitForShown(found: ShownRequest | null | undefined, poll: Poll): Promise<Shown> {
  if (found && (poll.seconds === 0 || isFinal(found.status))) return found;
  return waitForGeneration(poll);
}

/**
 * Returns the request once it is final, or its current state when `seconds` have passed, the client disconnects, this
 * process stops, or too many polls are waiting. Throws `request_not_found`.
 */
export async function waitForGeneration(poll: Poll): Promise<Readable> {
  const { accountId, id, seconds } = poll;
  if (seconds === 0 || !mayWait(accountId)) return getReadable(accountId, id);
  count(accountId, 1);
  try {
    return await wait(poll);
  } finally {
    count(accountId, -1);
  }
}

async function wait({ accountId, id, seconds, clientGone }: Poll): Promise<Readable> {
  const signal = AbortSignal.any([clientGone, stopping().signal]);
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const pause = new AbortController();
    // listening starts before the request is read, so that no change is missed in between
    const changed = nextFinal(id, AbortSignal.any([signal, pause.signal]));
    const generation = await getReadable(accountId, id).catch((error: unknown) => {
      pause.abort();
      throw error;
    });
    const left = deadline - performance.now();
    if (isFinal(generation.status) || left <= 0 || signal.aborted) {
      pause.abort();
      return generation;
    }
    const timer = setTimeout(() => pause.abort(), Math.min(left, LOOK_EVERY_MS));
    await changed;
    clearTimeout(timer);
  }
}

/** Resolves when the request becomes final, or on abort. */
const nextFinal = (id: string, signal: AbortSignal): Promise<unknown> =>
  once(finals(), id.toLowerCase(), { signal }).catch(() => undefined);

const finals = () =>
  singleton('generations.finals', () => {
    const emitter = new EventEmitter().setMaxListeners(0);
    listen(FINAL_CHANNEL, id => emitter.emit(id));
    return emitter;
  });

/** Number of polls that wait in this process, in total and by account. */
const waiting = () => singleton('generations.waiting', () => ({ all: 0, of: new Map<string, number>() }));

/** Returns the number of polls that wait in this process. */
export const waitingPolls = (): number => waiting().all;

function mayWait(accountId: string): boolean {
  const { all, of } = waiting();
  const over =
    all >= env().LIMIT_POLLS
      ? 'LIMIT_POLLS'
      : (of.get(accountId) ?? 0) >= env().LIMIT_POLLS_PER_ACCOUNT && 'LIMIT_POLLS_PER_ACCOUNT';
  if (over) noteLimit(over);
  return !over;
}

function count(accountId: string, by: 1 | -1): void {
  waiting().all += by;
  tally(waiting().of, accountId, by);
}
