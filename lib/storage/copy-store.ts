import { createHash } from 'node:crypto';
import { AppError } from '#lib/errors';
import { allOrNone } from '#lib/process/all-or-none';
import { hashOf, summed } from '#lib/storage/hash';
import { typeOfKey } from '#lib/storage/media-types';
import type { ByteStore, ListedObject } from '#lib/storage/storage';

interface CopyReport {
  copied: number;
  bytes: number;
  /** Number of files that the other store already had. */
  there: number;
  /** Keys that have different bytes in the two stores. */
  differ: string[];
}

const AT_ONCE = 4;

/**
 * Copies every file of one store to another, and verifies the copies. Files that exist with the same size are skipped,
 * because files appear in a store only when complete; `recheck` compares their hashes. Files deleted meanwhile are
 * skipped, too. Rejects only when no copy is in progress any more, so that the next attempt finds no unfinished files.
 */
export async function copyStore(
  from: ByteStore,
  to: ByteStore,
  { recheck }: { recheck?: boolean | undefined } = {},
): Promise<CopyReport> {
  const report: CopyReport = { copied: 0, bytes: 0, there: 0, differ: [] };
  // all workers share one list, so that a failing worker ends it for the others too
  const files = from.list('');
  const work = async () => {
    for await (const file of files) {
      const { key, bytes } = file;
      const outcome = await unlessGone(bring(from, to, file, recheck));
      if (outcome === 'differs') report.differ.push(key);
      if (outcome === 'there') report.there++;
      if (outcome !== 'copied') continue;
      report.copied++;
      report.bytes += bytes;
    }
  };
  await allOrNone(Array.from({ length: AT_ONCE }, work));
  return report;
}

async function bring(
  from: ByteStore,
  to: ByteStore,
  { key, bytes }: ListedObject,
  recheck = false,
): Promise<'copied' | 'there' | 'differs'> {
  const existing = await to.head(key);
  if (existing) {
    const same = existing.bytes === bytes && (!recheck || (await hashIn(from, key)).equals(await hashIn(to, key)));
    return same ? 'there' : 'differs';
  }
  const sum = createHash('sha256');
  const type = typeOfKey(key);
  if (!type) throw new AppError('not_found', `${key} is no media file.`);
  const source = await from.get(key);
  const stored = await to.put(key, summed(source, sum), type).finally(() => source.destroy());
  const arrived = stored.bytes === bytes && (await hashIn(to, key)).equals(sum.digest());
  if (!arrived) await to.delete(key);
  return arrived ? 'copied' : 'differs';
}

const hashIn = async (store: ByteStore, key: string): Promise<Buffer> => hashOf(await store.get(key));

async function unlessGone<T>(outcome: Promise<T>): Promise<T | null> {
  try {
    return await outcome;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null;
    throw error;
  }
}
