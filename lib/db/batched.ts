import DataLoader from 'dataloader';
import { singleton } from '#lib/singleton';

/** A query that takes longer holds up nobody. */
const PATIENCE_MS = 50;

interface Limits {
  /** Most calls that go in one query. */
  most?: number;
  /** Queries under way at a time: while the database works on one, the next gathers. */
  underWay?: number;
}

/**
 * A query that calls share: so many are under way at a time, and who calls meanwhile goes together in the next. Nothing is
 * remembered: a query that was sent is never shared any more, for its snapshot may be older than a change that a later caller must
 * see.
 */
export const batched = <K, V>(
  name: string,
  askAll: (keys: readonly K[]) => Promise<(V | null)[]>,
  limits: Limits = {},
): ((key: K) => Promise<V | null>) => {
  const loader = () => singleton(`batched.${name}`, () => makeLoader(askAll, limits));
  return key => loader().load(key);
};

function makeLoader<K, V>(
  askAll: (keys: readonly K[]) => Promise<(V | null)[]>,
  { most = 500, underWay = 1 }: Limits,
): DataLoader<K, V | null> {
  const waiting: (() => void)[] = [];
  let free = underWay;
  const next = () => {
    const run = waiting.shift();
    if (run) run();
    else free += 1;
  };
  const ask = (keys: readonly K[]) => {
    let passed = false;
    const pass = () => {
      clearTimeout(patience);
      if (!passed) next();
      passed = true;
    };
    const patience = setTimeout(pass, PATIENCE_MS);
    return askAll(keys).finally(pass);
  };
  return new DataLoader<K, V | null>(ask, {
    cache: false,
    maxBatchSize: most,
    batchScheduleFn(run) {
      waiting.push(run);
      if (free === 0) return;
      free -= 1;
      // whoever comes in the same turn of the event loop comes along
      setImmediate(next);
    },
  });
}
