import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { link, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { hasCode } from '#lib/errors';
import { DISK_AWAY } from '#lib/process/disk-away';
import { readOrMakeSecret } from '#lib/secrets';
import { filesBelow, makeFolder, openIfThere, statIfThere, syncFolder } from '#lib/storage/folder';
import { hashFile, hashOf } from '#lib/storage/hash';
import { isMediaKey } from '#lib/storage/media-key';
import { holdsOtherBytes, missing, requireType, StoreAway, typeOfMediaKey } from '#lib/storage/refusals';
import type { ByteStore, StoredObject } from '#lib/storage/storage';
import { writeNewFile } from '#lib/storage/write-file';

/** Chunk size of reads: few large reads are cheaper than many small ones. Short ranges are read in one piece. */
const CHUNK = 256 * 1024;

/** A store of media as files below `dir`. A file appears under its name only when it is complete and on disk. */
export function createLocalStore(dir: string): ByteStore {
  const unfinished = join(dir, '.unfinished');

  const pathOf = (key: string): string => {
    if (!typeOfMediaKey(key)) throw missing(key);
    return join(dir, ...key.split('/'));
  };

  const openFile = async (key: string) => {
    const file = await openIfThere(pathOf(key));
    if (!file) throw missing(key);
    return file;
  };

  return {
    id: 'local',
    folder: dir,

    async put(key, body, contentType) {
      const draft = join(unfinished, randomUUID());
      const path = pathOf(key);
      let stats: Stats;
      // a file stream that cannot be opened emits an error before it is read; reading it throws that error again
      if (body instanceof Readable) body.on('error', () => {});
      try {
        requireType(key, contentType);
        await Promise.all([makeFolder(unfinished), makeFolder(dirname(path))]);
        await writeNewFile(draft, body instanceof Uint8Array ? [body] : body);
        stats = await giveName(draft, path);
      } catch (error) {
        if (!hasCode(error, ...DISK_AWAY)) throw error;
        throw new StoreAway(`${key} cannot be stored: ${(error as Error).message}`, { cause: error });
      } finally {
        // a stream that was never read would stay open
        if (body instanceof Readable) body.destroy();
        // an error here must not hide the first one; `sweepUnfinished` removes drafts that are left
        await rm(draft, { force: true }).catch(() => {});
      }
      await syncFolder(dirname(path));
      return describe(stats, contentType);
    },

    async head(key) {
      const contentType = typeOfMediaKey(key);
      if (!contentType) return null;
      const stats = await statIfThere(pathOf(key));
      return stats?.isFile() ? describe(stats, contentType) : null;
    },

    async get(key, range) {
      const length = range ? range.end - range.start + 1 : Infinity;
      const file = await openFile(key);
      return file.createReadStream({ ...range, highWaterMark: length <= 4 * CHUNK ? length : CHUNK });
    },

    open: openFile,

    async withFile(key, use) {
      if (!(await this.head(key))) throw missing(key);
      try {
        return await use(pathOf(key));
      } catch (error) {
        // a file that was deleted meanwhile, for example with its account, is missing rather than broken
        throw (await this.head(key)) ? error : missing(key);
      }
    },

    async delete(key) {
      await rm(pathOf(key), { force: true });
    },

    async *list(prefix) {
      for await (const path of filesBelow(dir)) {
        const key = relative(dir, path).split(sep).join('/');
        if (!key.startsWith(prefix) || !isMediaKey(key)) continue;
        const stats = await statIfThere(path);
        if (stats) yield { key, bytes: stats.size, modifiedAt: stats.mtime };
      }
    },

    async sweepUnfinished(before) {
      let swept = 0;
      for await (const path of filesBelow(unfinished)) {
        const stats = await statIfThere(path);
        if (!stats || stats.mtime >= before) continue;
        await rm(path, { force: true });
        swept++;
      }
      return swept;
    },

    async check() {
      await makeFolder(unfinished);
      const probe = join(unfinished, randomUUID());
      try {
        await writeFile(probe, 'ok', { flag: 'wx', flush: true });
      } finally {
        await rm(probe, { force: true });
      }
    },

    identity: async () => readOrMakeSecret(join(dir, '.identity')).toString('hex'),
  };
}

const describe = (stats: Stats, contentType: string): StoredObject => ({
  bytes: stats.size,
  contentType,
  etag: `"${stats.size.toString(16)}-${Math.round(stats.mtimeMs).toString(16)}"`,
});

/** Links a draft to its path; retries when a file there vanishes meanwhile. Throws when the path holds other bytes. */
async function giveName(draft: string, path: string): Promise<Stats> {
  try {
    await link(draft, path);
    return await stat(draft);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    const there = await openIfThere(path);
    if (!there) return giveName(draft, path);
    const stats = await there.stat();
    const [a, b] = await Promise.all([hashFile(draft), hashOf(there.createReadStream({ highWaterMark: CHUNK }))]);
    if (!a.equals(b)) throw holdsOtherBytes(error);
    return stats;
  }
}
