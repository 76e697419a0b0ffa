import { buffer } from 'node:stream/consumers';
import { AppError } from '#lib/errors';
import { log } from '#lib/log';
import { SNIFF_BYTES, sniffType } from '#lib/media/sniff';
import { newMediaKey } from '#lib/storage/media-key';
import { typeOfKey } from '#lib/storage/media-types';
import type { StoredObject } from '#lib/storage/storage';
import { storage } from '#lib/storage/store';
import { completeUpload, findOpenUpload } from '#lib/uploads/complete-upload';

/**
 * Completes the ticket of a file that nobody saw coming. What is longer than the ticket allows, or no media file, is removed.
 * Where PUTs go straight to the store, the file goes to a key that its signed address does not reach, and is judged there.
 */
export async function adoptUpload(key: string): Promise<boolean> {
  const upload = await findOpenUpload(key);
  const arrived = upload && !upload.readyAt ? await storage().head(key) : null;
  if (!upload || !arrived) return false;
  const kept = arrived.bytes <= upload.maxBytes ? await copyOutOfReach(key) : key;
  const stored = kept && (await storage().head(kept));
  // another call has moved it meanwhile
  if (!stored) return false;
  const fits = stored.bytes <= upload.maxBytes && (await isMediaFile(kept, stored));
  if (!fits) {
    log().warn({ key, bytes: stored.bytes }, 'an upload that is too long or no media file is removed');
    await storage().delete(kept);
  }
  const completed = fits && (await completeUpload(key, stored, kept).catch(forgiveFullAccount));
  if (kept !== key) await storage().delete(key);
  return completed;
}

/** A copy under a key of its own; null when the file is gone. */
async function copyOutOfReach(key: string): Promise<string | null> {
  const { accept } = storage();
  const type = typeOfKey(key);
  if (!accept || !type) return key;
  const kept = newMediaKey('upload', type);
  return (await accept(key, kept)) ? kept : null;
}

async function isMediaFile(key: string, { bytes }: StoredObject): Promise<boolean> {
  if (bytes === 0) return false;
  const head = await storage().get(key, { start: 0, end: Math.min(SNIFF_BYTES, bytes) - 1 });
  return sniffType(await buffer(head)) !== null;
}

/** Nobody waits who could be told; the file is not kept. */
function forgiveFullAccount(error: unknown): false {
  if (error instanceof AppError) return false;
  throw error;
}
