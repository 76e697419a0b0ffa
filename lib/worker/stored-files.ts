import { createReadStream } from 'node:fs';
import { newMediaKey } from '#lib/storage/media-key';
import type { MediaType } from '#lib/storage/media-types';
import { storage } from '#lib/storage/store';

/** Files that go again when one of them cannot be kept. */
export class StoredFiles {
  readonly #keys: string[] = [];

  async put(folder: 'result' | 'preview', path: string, type: MediaType): Promise<{ key: string; bytes: number }> {
    const key = newMediaKey(folder, type);
    this.#keys.push(key);
    const { bytes } = await storage().put(key, createReadStream(path), type);
    return { key, bytes };
  }

  async drop(): Promise<void> {
    for (const key of this.#keys) await storage().delete(key);
  }
}
