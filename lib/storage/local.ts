import { randomUUID } from 'node:crypto';
import { createWriteStream, type Stats } from 'node:fs';
import { link, open, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '#lib/errors';
import { filesBelow, hasCode, makeFolder, statIfThere, syncFolder } from '#lib/storage/folder';
import { isMediaKey } from '#lib/storage/media-key';
import { typeOfKey, type MediaType } from '#lib/storage/media-types';
import { isSigned, signRequest, type SignedRequest } from '#lib/storage/signed-url';
import type { Storage, StoredObject } from '#lib/storage/storage';

const RANGE_HEADER = 'x-pomona-content-length-range';
/** Few large reads and writes: a web stream costs per chunk, not per byte. What is short is read at once. */
const CHUNK = 512 * 1024;

const missing = (key: string, cause?: unknown) => new AppError('not_found', `There is no file ${key}.`, {}, { cause });

/** Media as files below `dir`. A file appears under its name only when it is whole and on disk. */
export function createLocalStorage(options: {
  dir: string;
  baseUrl: string;
  mediaUrl?: string;
  secret: Buffer;
}): Storage {
  const { dir, baseUrl, mediaUrl = baseUrl, secret } = options;
  const unfinished = join(dir, '.unfinished');

  const place = (key: string): { path: string; type: MediaType } => {
    const type = isMediaKey(key) ? typeOfKey(key) : null;
    if (!type) throw missing(key);
    return { path: join(dir, ...key.split('/')), type };
  };

  const describe = (stats: Stats, contentType: MediaType): StoredObject => ({
    bytes: stats.size,
    contentType,
    etag: `"${stats.size.toString(16)}-${Math.round(stats.mtimeMs).toString(16)}"`,
  });

  const signedRequest = (key: string, contentType: string | null, range: string | null): SignedRequest => ({
    method: 'PUT',
    path: `/media/${key}`,
    headers: { 'content-type': contentType, [RANGE_HEADER]: range },
  });

  return {
    id: 'local',

    async put(key, body, contentType) {
      const { path, type } = place(key);
      if (contentType !== type) throw new Error(`${key} cannot hold ${contentType}`);
      await Promise.all([makeFolder(unfinished), makeFolder(dirname(path))]);
      const draft = join(unfinished, randomUUID());
      try {
        const source = body instanceof Uint8Array ? [body] : body;
        await pipeline(
          source,
          createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true, highWaterMark: CHUNK }),
        );
        await link(draft, path);
      } catch (error) {
        if (!hasCode(error, 'EEXIST')) throw error;
        throw new AppError(
          'precondition_failed',
          'This file exists already; files are written once.',
          {},
          { cause: error },
        );
      } finally {
        await rm(draft, { force: true });
      }
      await syncFolder(dirname(path));
      return describe(await stat(path), type);
    },

    async head(key) {
      if (!isMediaKey(key) || !typeOfKey(key)) return null;
      const { path, type } = place(key);
      try {
        const stats = await stat(path);
        return stats.isFile() ? describe(stats, type) : null;
      } catch (error) {
        if (hasCode(error, 'ENOENT', 'ENOTDIR')) return null;
        throw error;
      }
    },

    async get(key, range) {
      const { path } = place(key);
      try {
        const file = await open(path);
        const length = range ? range.end - range.start + 1 : Infinity;
        return file.createReadStream({ ...range, highWaterMark: length <= 2 * CHUNK ? length : CHUNK });
      } catch (error) {
        throw hasCode(error, 'ENOENT', 'ENOTDIR') ? missing(key, error) : error;
      }
    },

    async withFile(key, use) {
      if (!(await this.head(key))) throw missing(key);
      return use(place(key).path);
    },

    async delete(key) {
      await rm(place(key).path, { force: true });
    },

    async *list(prefix) {
      for await (const path of filesBelow(dir)) {
        const key = relative(dir, path).split(sep).join('/');
        if (!key.startsWith(prefix) || !isMediaKey(key)) continue;
        const stats = await statIfThere(path);
        if (stats) yield { key, bytes: stats.size, modifiedAt: stats.mtime };
      }
    },

    signPut(key, { contentType, maxBytes, expiresAt }) {
      const range = `0,${maxBytes}`;
      const request = signedRequest(key, contentType, range);
      return {
        url: `${baseUrl}${request.path}${signRequest(secret, request, expiresAt)}`,
        method: 'PUT',
        headers: { 'Content-Type': contentType, [RANGE_HEADER]: range },
      };
    },

    verifyPut({ path, query, header }) {
      const range = header(RANGE_HEADER);
      const request = signedRequest(path.replace(/^\/media\//, ''), header('content-type'), range);
      return request.path === path && isSigned(secret, request, query) ? Number(range?.split(',')[1]) : null;
    },

    url: key => `${mediaUrl}/media/${key}`,

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
  };
}
