import { setTimeout as pause } from 'node:timers/promises';
import { stillOpen, type SubmissionScope } from '#lib/life/accept';
import { singleton } from '#lib/singleton';

/** Maximum time that a submit waits for an earlier one with the same key. */
const PATIENCE_MS = 5_000;

/** Submits that this process is deciding, by scope and idempotency key. */
const open = () => singleton('generations.open', () => new Map<string, Promise<unknown>>());

/**
 * Decides a submit after earlier ones with the same idempotency key; `hasWaited` says whether there were any. Of
 * concurrent submits, the first one counts, even when its body takes long to arrive. Throws `submission_in_progress`
 * after 5 s of waiting.
 */
export async function inTurnOfKey<T>(
  { id, key }: SubmissionScope,
  decide: (hasWaited: boolean) => Promise<T>,
): Promise<T> {
  if (key === undefined) return decide(false);
  const name = `${id} ${key}`;
  const end = performance.now() + PATIENCE_MS;
  let hasWaited = false;
  for (let before; (before = open().get(name)); hasWaited = true) {
    const left = end - performance.now();
    if (left <= 0) throw stillOpen();
    const over = new AbortController();
    await Promise.race([before, pause(left, undefined, over)]);
    over.abort();
  }
  const decided = decide(hasWaited);
  const leave = () => void open().delete(name);
  open().set(name, decided.then(leave, leave));
  return decided;
}
