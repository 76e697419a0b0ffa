import { vi } from 'vitest';
import { db } from '#lib/db/client';

/** The next transaction is given up by whoever waits for it, and comes about only when the function is called that this gives. */
export function commitLate(): () => Promise<unknown> {
  const transaction = db().transaction.bind(db());
  const { promise, resolve: land } = Promise.withResolvers<void>();
  let landed: Promise<unknown>;
  const late = vi.spyOn(db(), 'transaction').mockImplementationOnce(work => {
    late.mockRestore();
    landed = promise.then(() => transaction(work));
    return Promise.reject(new Error('Query read timeout'));
  });
  return () => {
    land();
    return landed;
  };
}
