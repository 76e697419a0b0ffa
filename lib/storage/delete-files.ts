import pMap from 'p-map';
import { storage } from '#lib/storage/store';

/** Files that go at a time: one by one in a bucket, a day's files may take longer than a day. */
const AT_ONCE = 16;

/** Deletes files, some at a time. Throws what the store throws; what was not deleted by then stays. */
export const deleteFiles = async (keys: Iterable<string>): Promise<void> =>
  void (await pMap(keys, key => storage().delete(key), { concurrency: AT_ONCE }));
