import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import { db } from '#lib/db/client';
import { media, requests } from '#lib/db/schema';
import { AppError } from '#lib/errors';
import { getGeneration } from '#lib/generations/read';
import { isFinal } from '#lib/status';

/** The result, whose time is over now if it was not. */
const endedNow = sql`jsonb_set(${requests.result}, '{expiresAt}', to_jsonb(least(
  ${requests.result} ->> 'expiresAt', to_char(now()::timestamptz(3) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
)))`;

/**
 * Takes a final request out of the history and ends the time of its media: their URLs answer 410 from now on, and retention
 * takes the files as soon as no live request uses them as inputs. The row and its facts stay. Idempotent.
 */
export async function removeGeneration(accountId: string, id: string): Promise<void> {
  const generation = await getGeneration(accountId, id);
  if (!isFinal(generation.status)) throw new AppError('request_live', 'The request is still live; cancel it first.');
  await db().transaction(async tx => {
    await tx
      .update(requests)
      .set({ removedAt: sql`now()`, kept: false, result: endedNow })
      .where(and(eq(requests.id, generation.id), isNull(requests.removedAt)));
    await tx
      .update(media)
      .set({ expiresAt: sql`now()` })
      .where(
        and(
          eq(media.requestId, generation.id),
          inArray(media.kind, ['result', 'preview']),
          gt(media.expiresAt, sql`now()`),
        ),
      );
  });
}
