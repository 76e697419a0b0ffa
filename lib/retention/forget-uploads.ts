import { and, inArray, isNull, lte, notInArray } from 'drizzle-orm';
import pMap from 'p-map';
import { db } from '#lib/db/client';
import { deleteInPortions, inPortions, portionOf } from '#lib/db/in-portions';
import { uploads } from '#lib/db/schema';
import { log } from '#lib/log';
import { isOutage } from '#lib/outage';
import { adoptQuietly } from '#lib/uploads/adopt-upload';

/** A PUT that began in time may end after its address ran out. */
const LATE_MS = 3_600_000;
/** So long after its end nobody sends a file of an upload any more, and its row is of no use. */
const ENDED_MS = 86_400_000;

/** So many are asked about before the first of them go: whoever breaks off has not asked in vain. */
const ASKED = 100;
const AT_ONCE = 4;

/** Removes the tickets whose file never came, marks the uploads whose file has expired, and forgets those that ended a day ago. */
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
    // a file that went straight to the store and was not used yet
    const ask = ({ id, key }: (typeof asked)[number]) =>
      // one that the store cannot tell of keeps none of the others
      adoptQuietly(key).catch((error: unknown) => {
        if (isOutage(error)) throw error;
        log().warn({ err: error, key }, 'whether an upload came is asked again later');
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
