import pMap from 'p-map';
import { isOutage } from '#lib/outage';
import { storage } from '#lib/storage/store';

/** Files that go at a time: one by one in a bucket, a day's files may take longer than a day. */
const AT_ONCE = 16;

/**
 * Deletes files, some at a time. One that the store does not delete keeps none of the others: what it says of it is thrown in the end,
 * and at once when it is out.
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
