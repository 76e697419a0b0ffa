import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { db } from '#lib/db/client';
import { media } from '#lib/db/schema';
import { AppError } from '#lib/errors';
import { parseDataUrl } from '#lib/media/data-url';
import { findMedia, isLive, type MediaRow } from '#lib/media/find-media';
import { inspectMedia, normalizeImage } from '#lib/media/inspect-media';
import type { MediaFacts } from '#lib/media/media-facts';
import { safeFetch, type SafeFetchOptions } from '#lib/media/safe-fetch';
import { UnusableMedia } from '#lib/media/unusable-media';
import { MEDIA_TYPES, isMediaType, type MediaKind } from '#lib/storage/media-types';
import { inTemporaryFolder } from '#lib/process/temporary-folder';
import { storage } from '#lib/storage/store';
import { isOwnAddress, keyOfUrl } from '#lib/uploads/key-of-url';
import { hashFile, storeInput } from '#lib/uploads/store-input';
import { MAX_UPLOAD_BYTES } from '#lib/uploads/upload-ticket';

/** A media field's file: stored, decoded once, and what it says it is. */
export interface MediaInput {
  mediaId: string;
  key: string;
  contentType: string;
  width: number | null;
  height: number | null;
  /** Seconds. */
  duration: number | null;
  bytes: number;
  sha256: Buffer;
}

export interface ResolveOptions {
  /** JSON pointer of the field, named in the error. */
  path: string;
  /** The refusal's code: `invalid_request` outside of generate. */
  code?: 'invalid_config' | 'invalid_request';
  signal?: AbortSignal;
  network?: SafeFetchOptions['network'];
}

const FETCH_MS = 60_000;
const TAKES: Record<MediaKind, string> = {
  image: 'a JPEG or PNG image',
  video: 'an MP4, MOV or WebM video',
  audio: 'an MP3 or WAV sound',
};

/**
 * Turns what a media field holds (https URL, upload URL, any media URL of the account's own, data URL) into a stored file of the
 * kind that the field takes. Refusals are `AppError`s that name the field.
 */
export async function resolveMediaInput(
  accountId: string,
  value: unknown,
  kind: MediaKind,
  options: ResolveOptions,
): Promise<MediaInput> {
  try {
    if (typeof value !== 'string' || !value)
      throw new UnusableMedia('It must be an https URL, an upload URL or a data URL.');
    const row = isOwnAddress(value)
      ? await takeOwn(accountId, value, kind)
      : await bringIn(accountId, value, kind, options);
    const { id: mediaId, key, contentType, width, height, duration, bytes } = row;
    return { mediaId, key, contentType, width, height, duration, bytes, sha256: row.sha256 };
  } catch (error) {
    if (!(error instanceof UnusableMedia)) throw error;
    const message = `\`${options.path.slice(1).replaceAll('/', '.')}\` cannot be used. ${error.message}`;
    const issues = [{ path: options.path, message }];
    throw new AppError(options.code ?? 'invalid_config', message, { issues }, { cause: error });
  }
}

type Resolved = MediaRow & { sha256: Buffer };

/** A file of this deployment is never fetched: its row says whose it is. */
async function takeOwn(accountId: string, address: string, kind: MediaKind): Promise<Resolved> {
  const key = keyOfUrl(address);
  const row = key ? await findMedia(key) : null;
  if (!row || row.accountId !== accountId || !isLive(row)) {
    throw new UnusableMedia(
      'No file of this account is at this address: it was not uploaded yet, has expired, or was deleted.',
    );
  }
  // before it was decoded, a row only knows what was declared
  if (!isInspected(row)) return storage().withFile(row.key, path => inspectOnce(accountId, path, kind, row));
  requireKind(row.contentType, kind);
  return row;
}

async function bringIn(accountId: string, value: string, kind: MediaKind, options: ResolveOptions): Promise<Resolved> {
  return inTemporaryFolder(async folder => {
    const path = join(folder, 'input');
    if (/^data:/i.test(value)) await writeFile(path, parseDataUrl(value, MAX_UPLOAD_BYTES), { mode: 0o600 });
    else
      await safeFetch(value, {
        to: path,
        maxBytes: MAX_UPLOAD_BYTES,
        timeoutMs: FETCH_MS,
        signal: options.signal,
        network: options.network,
      });
    return inspectOnce(accountId, path, kind);
  });
}

/** Decodes a file, cleans it of metadata, and keeps it: where it is if it may stay as it is, else as an input of its own. */
async function inspectOnce(accountId: string, path: string, kind: MediaKind, row?: MediaRow): Promise<Resolved> {
  const facts = await inspectMedia(path);
  requireKind(facts.contentType, kind);
  if (facts.hasMetadata) {
    return inTemporaryFolder(async folder => {
      const clean = join(folder, 'clean');
      return inspected(await storeInput(accountId, clean, await normalizeImage(path, clean)));
    });
  }
  const asItIs = row && row.contentType === facts.contentType;
  return inspected(asItIs ? await keepFacts(row, path, facts) : await storeInput(accountId, path, facts));
}

async function keepFacts(row: MediaRow, path: string, { width, height, duration }: MediaFacts): Promise<MediaRow> {
  const sha256 = await hashFile(path);
  await db().update(media).set({ width, height, duration, sha256 }).where(eq(media.id, row.id));
  return { ...row, width, height, duration, sha256 };
}

const isInspected = (row: MediaRow): row is Resolved => row.sha256 !== null;

function inspected(row: MediaRow): Resolved {
  if (!isInspected(row)) throw new Error(`media ${row.id} was stored without its hash`);
  return row;
}

function requireKind(contentType: string, kind: MediaKind): void {
  if (isMediaType(contentType) && MEDIA_TYPES[contentType].kind === kind) return;
  throw new UnusableMedia(`The file is ${contentType}; this field takes ${TAKES[kind]}.`);
}
