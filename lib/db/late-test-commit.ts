import { vi } from 'vitest';
import { db } from '#lib/db/client';

/** Makes the next transaction fail for its caller with a timeout, and returns a function that commits it after all. */
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
