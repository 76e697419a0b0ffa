import { buffer } from 'node:stream/consumers';
import { AppError } from '#lib/errors';
import { log } from '#lib/log';
import { SNIFF_BYTES, sniffType } from '#lib/media/sniff';
import { newMediaKey } from '#lib/storage/media-key';
import { typeOfKey } from '#lib/storage/media-types';
import { UnusableMedia } from '#lib/media/unusable-media';
import type { StoredObject } from '#lib/storage/storage';
import { storage } from '#lib/storage/store';
import { completeUpload, findOpenUpload } from '#lib/uploads/complete-upload';

/**
 * Completes the ticket of a file whose arrival was not recorded; false when none has arrived. Removes a file that is
 * too long, not media, or beyond the quota, and throws `UnusableMedia` or `quota_exceeded`. Where PUTs go straight to
 * the store, the file is first copied to a key that its signed URL cannot overwrite.
 */
export async function adoptUpload(key: string): Promise<boolean> {
  const upload = await findOpenUpload(key);
  const arrived = upload && !upload.readyAt ? await storage().head(key) : null;
  if (!upload || !arrived) return false;
  const kept = arrived.bytes <= upload.maxBytes ? await copyOutOfReach(key) : key;
  const stored = kept && (await storage().head(kept));
  // another call has moved the file meanwhile
  if (!stored) return false;
  const outcome = await judge(key, kept, stored, upload.maxBytes).catch((error: unknown) => {
    // after an outage, a later call tries again; the copy, which has no row, is swept as an orphan
    if (!isRefusal(error)) throw error;
    return error;
  });
  if (kept !== key) await storage().delete(key);
  if (outcome instanceof Error) throw outcome;
  return outcome;
}

async function judge(key: string, kept: string, stored: StoredObject, maxBytes: number): Promise<boolean> {
  const fault = stored.bytes > maxBytes ? tooLong(maxBytes) : await faultOf(kept, stored);
  if (fault === null) return completeUpload(key, stored, kept);
  log().warn({ key, bytes: stored.bytes }, 'upload removed: too large or not a media file');
  await storage().delete(kept);
  throw new UnusableMedia(fault);
}

/** Like `adoptUpload`, but returns false for a refused file: for callers that cannot report the reason to a client. */
export const adoptQuietly = (key: string): Promise<boolean> =>
  adoptUpload(key).catch((error: unknown) => {
    if (isRefusal(error)) return false;
    throw error;
  });

const isRefusal = (error: unknown): error is AppError | UnusableMedia =>
  error instanceof AppError || error instanceof UnusableMedia;

const tooLong = (most: number) => `The file that was uploaded is longer than ${most} bytes, and was removed.`;

/** Copies a file beyond the reach of its signed URL, where needed. Returns its key; null when the file is missing. */
async function copyOutOfReach(key: string): Promise<string | null> {
  const { accept } = storage();
  const type = typeOfKey(key);
  if (!accept || !type) return key;
  const kept = newMediaKey('upload', type);
  return (await accept(key, kept)) ? kept : null;
}

async function faultOf(key: string, { bytes }: StoredObject): Promise<string | null> {
  if (bytes === 0) return 'The file that was uploaded is empty, and was removed.';
  const head = await storage().get(key, { start: 0, end: Math.min(SNIFF_BYTES, bytes) - 1 });
  return sniffType(await buffer(head))
    ? null
    : 'The file that was uploaded is no image, video or audio, and was removed.';
}
