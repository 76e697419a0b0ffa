import { setTimeout as pause } from 'node:timers/promises';
import { stillOpen, type SubmissionScope } from '#lib/life/accept';
import { singleton } from '#lib/singleton';

/** What comes under a key waits that long for what came before it. */
const PATIENCE_MS = 5_000;

/** What is being decided in this process, by the key that it came under. */
const open = () => singleton('generations.open', () => new Map<string, Promise<unknown>>());

/**
 * Decides on what came under a key after what came under it before was decided; tells whether there was such. Of those that meet,
 * the first is it whose body counts, however long that one takes to be read. Throws `submission_in_progress` when that is longer
 * than 5 s.
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
