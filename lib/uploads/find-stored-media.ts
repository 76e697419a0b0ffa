import { eq } from 'drizzle-orm';
import { db } from '#lib/db/client';
import { media, uploads } from '#lib/db/schema';
import { findMedia, type MediaRow } from '#lib/media/find-media';
import { adoptQuietly } from '#lib/uploads/adopt-upload';

/**
 * Returns the media row of a key. An upload that went straight to the store, or whose row was lost in a crash, gets its
 * row on its first look-up. When the upload is refused then, returns null, or throws the reason if `adopt` does.
 */
export async function findStoredMedia(key: string, adopt = adoptQuietly): Promise<MediaRow | null> {
  const row = await findMedia(key);
  if (row || !key.startsWith('upload/')) return row;
  const known = await findOfUpload(key);
  if (known) return known;
  await adopt(key);
  // adopted by this call or by a concurrent one
  return findOfUpload(key);
}

/** Finds the media row by the ticket's key: the file of a signed PUT may have moved to another key. */
async function findOfUpload(key: string): Promise<MediaRow | null> {
  const [found] = await db()
    .select({ media })
    .from(uploads)
    .innerJoin(media, eq(media.id, uploads.mediaId))
    .where(eq(uploads.key, key));
  return found?.media ?? null;
}
