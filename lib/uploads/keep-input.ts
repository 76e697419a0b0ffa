import type { MediaKind } from '#lib/media-kind';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { db } from '#lib/db/client';
import { media } from '#lib/db/schema';
import type { MediaRow } from '#lib/media/find-media';
import { inspectMedia, normalizeImage } from '#lib/media/inspect-media';
import type { MediaFacts } from '#lib/media/media-facts';
import { UnusableMedia } from '#lib/media/unusable-media';
import { inTemporaryFolder } from '#lib/process/temporary-folder';
import { MEDIA_TYPES, isMediaType } from '#lib/storage/media-types';
import { errandOf, type MediaField, type MediaInput } from '#lib/uploads/media-input';
import { hashFile, storeInput } from '#lib/uploads/store-input';

const TAKES: Record<MediaKind, string> = {
  image: 'a JPEG, PNG, WebP, AVIF or GIF image',
  video: 'an MP4, MOV or WebM video',
  audio: 'an MP3 or WAV sound',
};

/** Decodes a file and keeps it, remade if it is raw: where it is if it has a row and may stay as it is, else as an input of its own. */
export async function keepInput(
  accountId: string,
  path: string,
  kind: MediaKind,
  field: MediaField,
  row?: MediaRow,
): Promise<MediaInput> {
  const errand = errandOf(accountId, field);
  const facts = await inspectMedia(path, errand);
  requireKind(facts.contentType, kind);
  if (facts.isRaw) {
    return inTemporaryFolder(async folder => {
      const clean = join(folder, 'clean');
      return store(accountId, clean, await normalizeImage(path, clean, errand));
    });
  }
  if (row?.contentType !== facts.contentType) return store(accountId, path, facts);
  const { width, height, duration } = facts;
  const known = { width, height, duration, sha256: await hashFile(path) };
  await db().update(media).set(known).where(eq(media.id, row.id));
  return toInput({ ...row, ...known });
}

async function store(accountId: string, path: string, facts: MediaFacts): Promise<MediaInput> {
  const { row, isNew } = await storeInput(accountId, path, facts);
  return toInput(row, isNew);
}

/** Before a file was decoded its row only knows what was declared; the hash is written with what decoding showed. */
export const isInspected = (row: MediaRow): boolean => row.sha256 !== null;

export function toInput(row: MediaRow, isNew = false): MediaInput {
  const { id: mediaId, key, contentType, width, height, duration, bytes, sha256, expiresAt } = row;
  if (!sha256) throw new Error(`media ${mediaId} was not inspected`);
  return { mediaId, key, contentType, width, height, duration, bytes, sha256, expiresAt, isNew };
}

export function requireKind(contentType: string, kind: MediaKind): void {
  if (isMediaType(contentType) && MEDIA_TYPES[contentType].kind === kind) return;
  throw new UnusableMedia(`The file is ${contentType}; this field takes ${TAKES[kind]}.`);
}
