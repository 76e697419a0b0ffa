import pMap from 'p-map';
import { isOutage } from '#lib/outage';
import { storage } from '#lib/storage/store';

/** Number of concurrent deletions: one by one, deleting a day's files from a bucket may take longer than a day. */
const AT_ONCE = 16;

/**
 * Deletes files concurrently. A failed deletion does not stop the others; its error is thrown at the end. When the
 * store is down, the error is thrown immediately.
 */
export async function deleteFiles(keys: Iterable<string>): Promise<void> {
  const failures: unknown[] = [];
  const remove = (key: string) =>
    storage()
      .delete(key)
      .catch((error: unknown) => {
        if (isOutage(error)) throw error;
        failures.push(error);
      });
  await pMap(keys, remove, { concurrency: AT_ONCE });
  if (failures.length > 0) throw failures[0];
}
