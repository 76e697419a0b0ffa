import DataLoader from 'dataloader';
import { singleton } from '#lib/singleton';

/**
 * A look-up whose calls share one query when they arrive in one turn of the event loop. Nothing is remembered: a query that was
 * sent is never shared any more, for its snapshot may be older than a change that a later caller must see.
 */
export const batched = <K, V>(
  name: string,
  findAll: (keys: readonly K[]) => Promise<(V | null)[]>,
): ((key: K) => Promise<V | null>) => {
  const loader = () =>
    singleton(
      `batched.${name}`,
      () =>
        new DataLoader<K, V | null>(findAll, {
          cache: false,
          maxBatchSize: 500,
          batchScheduleFn: run => setImmediate(run),
        }),
    );
  return key => loader().load(key);
};
