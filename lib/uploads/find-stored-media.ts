import { eq } from 'drizzle-orm';
import { db } from '#lib/db/client';
import { media, uploads } from '#lib/db/schema';
import { findMedia, type MediaRow } from '#lib/media/find-media';
import { adoptQuietly } from '#lib/uploads/adopt-upload';

/**
 * The row of the file at a key. An upload that went straight to the store, or whose row a crash prevented, gets its row when it
 * is first asked for; one that is refused then is none, unless `adopt` throws what was wrong with it.
 */
export async function findStoredMedia(key: string, adopt = adoptQuietly): Promise<MediaRow | null> {
  const row = await findMedia(key);
  if (row || !key.startsWith('upload/')) return row;
  const known = await findOfUpload(key);
  if (known) return known;
  await adopt(key);
  // by this call or by another one at the same time
  return findOfUpload(key);
}

/** What a signed PUT brought may have moved to a key of its own. */
async function findOfUpload(key: string): Promise<MediaRow | null> {
  const [found] = await db()
    .select({ media })
    .from(uploads)
    .innerJoin(media, eq(media.id, uploads.mediaId))
    .where(eq(uploads.key, key));
  return found?.media ?? null;
}
