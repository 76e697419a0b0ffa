import { inArray } from 'drizzle-orm';
import { db, pool } from '#lib/db/client';
import { media } from '#lib/db/schema';
import { storage } from '#lib/storage/store';

const BATCH = 200;

/**
 * Deletes the files whose time is over and marks their rows, whose facts stay. What a live request still uses is left for
 * the next time. The file goes first: after a crash in between the row is simply found again.
 */
export async function expireMedia(now: Date): Promise<number> {
  let deleted = 0;
  for (;;) {
    const expired = await findExpired(now);
    for (const { key } of expired) await storage().delete(key);
    await db()
      .update(media)
      .set({ deletedAt: now })
      .where(
        inArray(
          media.id,
          expired.map(({ id }) => id),
        ),
      );
    deleted += expired.length;
    if (expired.length < BATCH) return deleted;
  }
}

async function findExpired(now: Date): Promise<{ id: string; key: string }[]> {
  const { rows } = await pool().query<{ id: string; key: string }>(
    `select id, key from media
    where deleted_at is null and expires_at <= $1
      and id not in (select (input ->> 'mediaId')::uuid
        from requests, jsonb_array_elements(inputs) input where status in ('queued', 'in_progress'))
    order by expires_at limit $2`,
    [now, BATCH],
  );
  return rows;
}
