import DataLoader from 'dataloader';
import { singleton } from '#lib/singleton';

/** A query that takes longer holds up nobody. */
const PATIENCE_MS = 50;

/**
 * A look-up whose calls share one query: one is under way at a time, and who asks meanwhile goes together in the next. Nothing is
 * remembered: a query that was sent is never shared any more, for its snapshot may be older than a change that a later caller must
 * see.
 */
export const batched = <K, V>(
  name: string,
  findAll: (keys: readonly K[]) => Promise<(V | null)[]>,
): ((key: K) => Promise<V | null>) => {
  const loader = () => singleton(`batched.${name}`, () => makeLoader(findAll));
  return key => loader().load(key);
};

function makeLoader<K, V>(findAll: (keys: readonly K[]) => Promise<(V | null)[]>): DataLoader<K, V | null> {
  const waiting: (() => void)[] = [];
  let free = true;
  const next = () => {
    const run = waiting.shift();
    free = !run;
    run?.();
  };
  const find = (keys: readonly K[]) => {
    let passed = false;
    const pass = () => {
      clearTimeout(patience);
      if (!passed) next();
      passed = true;
    };
    const patience = setTimeout(pass, PATIENCE_MS);
    return findAll(keys).finally(pass);
  };
  return new DataLoader<K, V | null>(find, {
    cache: false,
    maxBatchSize: 500,
    batchScheduleFn(run) {
      waiting.push(run);
      // whoever comes in the same turn of the event loop comes along
      if (free) setImmediate(next);
      free = false;
    },
  });
}
