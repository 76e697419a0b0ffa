import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { transactionOf } from '#lib/db/in-turn';
import { media, requests } from '#lib/db/schema';
import { AppError } from '#lib/errors';
import { getReadable } from '#lib/generations/read';
import type { Generation } from '#lib/life/generation';
import { expiryOf } from '#lib/media/lifetime';
import { requireRoom } from '#lib/quotas';

/** When the media of what is kept expire, for those who compare times: as late as a timestamp of four digits can be. */
const KEPT_UNTIL = new Date('9999-12-31T23:59:59.999Z');
/** Nothing that was kept goes on the day on which it no longer is. */
const NOTICE_MS = 7 * 86_400_000;

/**
 * Lets the result of a request outlive its 30 days; its bytes count as stored by the account from then on. Throws
 * `quota_exceeded`, and `media_expired` where there is no result or none any more. Idempotent.
 */
export const keepResult = (accountId: string, id: string): Promise<Generation> =>
  setKept(accountId, id, { kept: true, expiresAt: () => KEPT_UNTIL });

/** Gives the result back to its 30 days, or to the week from now on where those are over. Idempotent. */
export const releaseResult = (accountId: string, id: string): Promise<Generation> =>
  setKept(accountId, id, {
    kept: false,
    expiresAt: createdAt => new Date(Math.max(expiryOf(createdAt).getTime(), Date.now() + NOTICE_MS)),
  });

async function setKept(
  accountId: string,
  id: string,
  to: { kept: boolean; expiresAt: (createdAt: Date) => Date },
): Promise<Generation> {
  const generation = await getReadable(accountId, id);
  if (generation.kept === to.kept) return generation;
  const expiresAt = to.expiresAt(generation.createdAt);
  return transactionOf(accountId, async tx => {
    if (to.kept) await requireRoom(accountId, 'LIMIT_STORED_BYTES', bytesOf(generation), tx);
    // the request before its media, as whoever removes it
    const [now] = await tx.select().from(requests).where(eq(requests.id, generation.id)).for('update');
    if (!now) throw nothingToKeep();
    if (now.kept === to.kept) return now;
    const files = await tx
      .update(media)
      .set({ expiresAt })
      .where(
        and(
          eq(media.requestId, generation.id),
          inArray(media.kind, ['result', 'preview']),
          isNull(media.deletedAt),
          sql`${media.expiresAt} > clock_timestamp()`,
        ),
      )
      .returning({ id: media.id });
    if (files.length === 0) throw nothingToKeep();
    const [row] = await tx
      .update(requests)
      .set({
        kept: to.kept,
        result: sql`jsonb_set(${requests.result}, '{expiresAt}', ${JSON.stringify(expiresAt)}::jsonb)`,
      })
      .where(eq(requests.id, generation.id))
      .returning();
    return row!;
  });
}

const nothingToKeep = () => new AppError('media_expired', 'This request has no media to keep, or none any more.');

const bytesOf = ({ result }: Generation): number =>
  result ? [result, ...(result.renditions ?? [])].reduce((sum, { bytes }) => sum + bytes, 0) : 0;
