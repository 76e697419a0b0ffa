import DataLoader from 'dataloader';
import { singleton } from '#lib/singleton';

/** Time after which a query in progress no longer holds back the next one. */
const PATIENCE_MS = 50;

interface Limits {
  /** Maximum number of calls in one query. */
  most?: number;
  /** Maximum number of concurrent queries; meanwhile, further calls gather for the next query. */
  underWay?: number;
}

/**
 * Batches concurrent calls: while `underWay` queries are in progress, further calls gather for the next one. Nothing is
 * cached, and a call never joins a query that was already sent, whose snapshot may be older than a change that the
 * caller must see.
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
      // calls of the same turn of the event loop join this batch
      setImmediate(next);
    },
  });
}
