import { eq, sql } from 'drizzle-orm';
import { db } from '#lib/db/client';
import { media } from '#lib/db/schema';
import { singleton } from '#lib/singleton';
import { isMediaKey } from '#lib/storage/media-key';

export type MediaRow = typeof media.$inferSelect;

/** A prepared statement, because every download starts with it. */
const byKey = () =>
  singleton('media.by-key', () =>
    db()
      .select()
      .from(media)
      .where(eq(media.key, sql.placeholder('key')))
      .prepare('media_by_key'),
  );

/** Returns the row of a stored file, even when the file has expired or was deleted. */
export async function findMedia(key: string): Promise<MediaRow | null> {
  if (!isMediaKey(key)) return null;
  const [row] = await byKey().execute({ key });
  return row ?? null;
}

/** Whether the file may still be used and served. */
export const isLive = (row: Pick<MediaRow, 'deletedAt' | 'expiresAt'>): boolean =>
  row.deletedAt === null && (row.expiresAt === null || row.expiresAt > new Date());
