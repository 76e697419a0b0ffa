import { buffer } from 'node:stream/consumers';
import { and, eq, gt, isNull } from 'drizzle-orm';
import { db } from '#lib/db/client';
import { media, uploads } from '#lib/db/schema';
import { newId } from '#lib/ids';
import { log } from '#lib/log';
import { findMedia, type MediaRow } from '#lib/media/find-media';
import { SNIFF_BYTES, sniffType } from '#lib/media/sniff';
import type { StoredObject } from '#lib/storage/storage';
import { storage } from '#lib/storage/store';

/** The ticket that a PUT to `key` belongs to, unless it was deleted or has expired. */
export async function findOpenUpload(key: string) {
  const open = and(eq(uploads.key, key), isNull(uploads.deletedAt), gt(uploads.expiresAt, new Date()));
  const [upload] = await db().select().from(uploads).where(open).limit(1);
  return upload ?? null;
}

/**
 * Makes the stored file usable: the ticket becomes ready and its media row appears, together and once. False when the
 * ticket was deleted meanwhile; the file is then nobody's.
 */
export async function completeUpload(key: string, stored: StoredObject): Promise<boolean> {
  return db().transaction(async tx => {
    const [upload] = await tx.select().from(uploads).where(eq(uploads.key, key)).for('update');
    if (!upload || upload.deletedAt) return false;
    if (upload.readyAt) return true;
    const mediaId = newId();
    const { contentType, bytes } = stored;
    const { accountId, expiresAt } = upload;
    await tx.insert(media).values({ id: mediaId, accountId, kind: 'upload', key, contentType, bytes, expiresAt });
    await tx.update(uploads).set({ readyAt: new Date(), bytes, mediaId }).where(eq(uploads.id, upload.id));
    return true;
  });
}

/**
 * The row of a stored file. An upload that went straight to the store, or whose row a crash prevented, gets its row when it is
 * first asked for.
 */
export const findStoredMedia = async (key: string): Promise<MediaRow | null> =>
  (await findMedia(key)) ?? ((await adoptUpload(key)) ? findMedia(key) : null);

/** Completes the ticket of a file that is in the store. What is longer than the ticket allows, or no media file, is removed. */
export async function adoptUpload(key: string): Promise<boolean> {
  const upload = key.startsWith('upload/') ? await findOpenUpload(key) : null;
  const stored = upload && !upload.readyAt ? await storage().head(key) : null;
  if (!upload || !stored) return false;
  if (stored.bytes <= upload.maxBytes && (await isMediaFile(key, stored))) return completeUpload(key, stored);
  log().warn({ key, bytes: stored.bytes }, 'an upload that is too long or no media file was removed');
  await storage().delete(key);
  return false;
}

async function isMediaFile(key: string, { bytes }: StoredObject): Promise<boolean> {
  if (bytes === 0) return false;
  const head = await storage().get(key, { start: 0, end: Math.min(SNIFF_BYTES, bytes) - 1 });
  return sniffType(await buffer(head)) !== null;
}
