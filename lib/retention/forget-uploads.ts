import { and, inArray, isNull, lte, notInArray } from 'drizzle-orm';
import pMap from 'p-map';
import { db } from '#lib/db/client';
import { deleteInPortions, inPortions, portionOf } from '#lib/db/in-portions';
import { uploads } from '#lib/db/schema';
import { log } from '#lib/log';
import { isOutage } from '#lib/outage';
import { adoptQuietly } from '#lib/uploads/adopt-upload';

/** Grace period after the expiry of a signed URL, because a PUT that began in time may end later. */
const LATE_MS = 3_600_000;
/** Time after the end of an upload until its row is deleted, when no PUT for it can be in progress any more. */
const ENDED_MS = 86_400_000;

/** Number of tickets that are looked up before any are deleted, so that an interruption loses little work. */
const ASKED = 100;
const AT_ONCE = 4;

/** Deletes tickets whose file never arrived, and uploads that ended a day ago; marks uploads whose file has expired. */
export async function forgetUploads(now: Date, stopped?: AbortSignal): Promise<number> {
  const forgotten = await dropAbandoned(now, stopped);
  const expired = and(isNull(uploads.deletedAt), lte(uploads.expiresAt, now));
  const ended = lte(uploads.deletedAt, new Date(now.getTime() - ENDED_MS));
  const marked = await inPortions(async () => {
    const { rowCount } = await db().update(uploads).set({ deletedAt: now }).where(portionOf(uploads, expired));
    return rowCount ?? 0;
  }, stopped);
  return forgotten + marked + (await deleteInPortions(uploads, ended, stopped));
}

async function dropAbandoned(now: Date, stopped?: AbortSignal): Promise<number> {
  const overdue = and(isNull(uploads.readyAt), lte(uploads.putExpiresAt, new Date(now.getTime() - LATE_MS)));
  const unknown: string[] = [];
  let dropped = 0;
  while (!stopped?.aborted) {
    const open = and(overdue, notInArray(uploads.id, unknown));
    const asked = await db().select({ id: uploads.id, key: uploads.key }).from(uploads).where(open).limit(ASKED);
    if (asked.length === 0) break;
    // adopts files that went straight to the store and were not used yet
    const ask = ({ id, key }: (typeof asked)[number]) =>
      // an error about one file does not stop the others, but an outage does
      adoptQuietly(key).catch((error: unknown) => {
        if (isOutage(error)) throw error;
        log().warn({ err: error, key }, 'upload not looked for in the store; it is looked for again later');
        unknown.push(id);
      });
    await pMap(asked, ask, { concurrency: AT_ONCE });
    const ids = asked.map(({ id }) => id);
    const { rowCount } = await db()
      .delete(uploads)
      .where(and(inArray(uploads.id, ids), overdue, notInArray(uploads.id, unknown)));
    dropped += rowCount ?? 0;
  }
  return dropped;
}
