import { and, isNull, lte, notInArray } from 'drizzle-orm';
import { db } from '#lib/db/client';
import { uploads } from '#lib/db/schema';
import { log } from '#lib/log';
import { isOutage } from '#lib/outage';
import { adoptUpload } from '#lib/uploads/adopt-upload';

/** A PUT that began in time may end after its address ran out. */
const LATE_MS = 3_600_000;

/** Removes the tickets whose file never came, and marks the uploads whose file has expired. */
export async function forgetUploads(now: Date, stopped?: AbortSignal): Promise<number> {
  const overdue = and(isNull(uploads.readyAt), lte(uploads.putExpiresAt, new Date(now.getTime() - LATE_MS)));
  const unknown: string[] = [];
  // a file that went straight to the store and was not used yet
  for (const { id, key } of await db().select().from(uploads).where(overdue)) {
    if (stopped?.aborted) return 0;
    // one that the store cannot tell of keeps none of the others
    await adoptUpload(key).catch((error: unknown) => {
      if (isOutage(error)) throw error;
      log().warn({ err: error, key }, 'whether an upload came is asked again later');
      unknown.push(id);
    });
  }
  const abandoned = await db()
    .delete(uploads)
    .where(and(overdue, notInArray(uploads.id, unknown)))
    .returning({ id: uploads.id });
  const expired = await db()
    .update(uploads)
    .set({ deletedAt: now })
    .where(and(isNull(uploads.deletedAt), lte(uploads.expiresAt, now)))
    .returning({ id: uploads.id });
  return abandoned.length + expired.length;
}
