import { createReadStream } from 'node:fs';
import { utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { log } from '#lib/log';
import { isOutage, throughOutages } from '#lib/outage';
import { newMediaKey } from '#lib/storage/media-key';
import type { MediaType } from '#lib/storage/media-types';
import { storage } from '#lib/storage/store';

/**
 * Keys of the files that wait for the store to return; no new work is taken meanwhile, since its output would wait too.
 */
const waiting = new Set<string>();
export const isStoreAway = (): boolean => waiting.size > 0;

/**
 * Files that are stored together or not at all. With a signal, writes wait for a store that is out until it is aborted.
 */
export class StoredFiles {
  readonly #puts = new Map<string, Promise<{ bytes: number }>>();
  readonly #waiting: AbortSignal | undefined;

  constructor(waiting?: AbortSignal) {
    this.#waiting = waiting;
  }

  async put(folder: 'result' | 'preview', path: string, type: MediaType): Promise<{ key: string; bytes: number }> {
    const key = newMediaKey(folder, type);
    const put = () => storage().put(key, createReadStream(path), type);
    const putting = this.#waiting ? patiently(key, path, put, this.#waiting) : put();
    this.#puts.set(key, putting);
    const { bytes } = await putting;
    return { key, bytes };
  }

  async drop(): Promise<void> {
    // a write in progress would otherwise finish after the deletion
    await Promise.allSettled(this.#puts.values());
    await takeBack(this.#puts.keys());
  }
}

async function patiently<T>(key: string, path: string, put: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const attempt = async () => {
    try {
      return await put();
    } catch (error) {
      if (!isOutage(error)) throw error;
      if (!isStoreAway()) log().error({ err: error }, 'store unavailable; outputs wait for it');
      waiting.add(key);
      await keepFromSweep(dirname(path));
      throw error;
    }
  };
  return throughOutages(attempt, signal).finally(() => waiting.delete(key));
}

/** Updates the modification time of a folder; the sweep takes old folders for leftovers of killed workers. */
const keepFromSweep = (folder: string) => utimes(folder, new Date(), new Date()).catch(() => {});

/** Deletes unused files. Never throws: if a deletion fails, a sweep deletes the file later, since it has no row. */
export async function takeBack(keys: Iterable<string>): Promise<void> {
  const deleting = Array.from(keys, key =>
    storage()
      .delete(key)
      .catch((error: unknown) => log().warn({ err: error, key }, 'unused file not deleted from the store')),
  );
  await Promise.all(deleting);
}
