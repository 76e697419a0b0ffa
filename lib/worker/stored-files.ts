import { createReadStream } from 'node:fs';
import { log } from '#lib/log';
import { newMediaKey } from '#lib/storage/media-key';
import type { MediaType } from '#lib/storage/media-types';
import { storage } from '#lib/storage/store';

/** Files that go again when one of them cannot be kept. */
export class StoredFiles {
  readonly #puts = new Map<string, Promise<{ bytes: number }>>();

  async put(folder: 'result' | 'preview', path: string, type: MediaType): Promise<{ key: string; bytes: number }> {
    const key = newMediaKey(folder, type);
    const putting = storage().put(key, createReadStream(path), type);
    this.#puts.set(key, putting);
    const { bytes } = await putting;
    return { key, bytes };
  }

  async drop(): Promise<void> {
    // what is still on its way would come after its deletion
    await Promise.allSettled(this.#puts.values());
    await takeBack(this.#puts.keys());
  }
}

/** Deletes files that nothing stands for. Never throws: one that cannot be deleted goes later, as a file without a row. */
export async function takeBack(keys: Iterable<string>): Promise<void> {
  const deleting = Array.from(keys, key =>
    storage()
      .delete(key)
      .catch((error: unknown) => log().warn({ err: error, key }, 'a file could not be taken back')),
  );
  await Promise.all(deleting);
}
