import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { transactionOf } from '#lib/db/in-turn';
import { media, requests, type StoredResult } from '#lib/db/schema';
import { AppError } from '#lib/errors';
import { getReadable } from '#lib/generations/read';
import type { Generation } from '#lib/life/generation';
import { EXPIRING_MS, expiryOf } from '#lib/media/lifetime';
import { requireRoom } from '#lib/quotas';
import { isFinal } from '#lib/status';
import { sum } from '#lib/sum';

/** Expiry of kept media, for clients that compare times: the latest timestamp with a year of four digits. */
const KEPT_UNTIL = '9999-12-31T23:59:59.999Z';

/**
 * Keeps the result of a request beyond its 30 days; its bytes count as stored by the account from now on. Idempotent.
 * Throws `quota_exceeded`, `request_live`, and `media_expired` when the request has no result or its media have
 * expired.
 */
export const keepResult = (accountId: string, id: string): Promise<Generation> => setKept(accountId, id, true, keep);

/**
 * Releases a kept result: it expires after its 30 days, but not before a week from now. Idempotent. When a result is
 * kept and released again after that, it gets no new week, but the time that was left plus the time that it was kept:
 * otherwise it could be stored forever while counting as stored only for a moment each week.
 */
export const releaseResult = (accountId: string, id: string): Promise<Generation> =>
  setKept(accountId, id, false, release);

const keep = (createdAt: Date, result: StoredResult): StoredResult => ({
  ...result,
  expiresAt: KEPT_UNTIL,
  ...(Date.parse(result.expiresAt) > expiryOf(createdAt).getTime() && {
    keptAgain: { since: new Date().toISOString(), until: result.expiresAt },
  }),
});

function release(createdAt: Date, { keptAgain, ...result }: StoredResult): StoredResult {
  const now = Date.now();
  const left = keptAgain ? Date.parse(keptAgain.until) + now - 2 * Date.parse(keptAgain.since) : EXPIRING_MS;
  // a grace period, so that a result does not expire on the day of its release
  const end = Math.max(expiryOf(createdAt).getTime(), now + Math.min(EXPIRING_MS, left));
  return { ...result, expiresAt: new Date(end).toISOString() };
}

async function setKept(
  accountId: string,
  id: string,
  kept: boolean,
  change: (createdAt: Date, result: StoredResult) => StoredResult,
): Promise<Generation> {
  const generation = await getReadable(accountId, id);
  if (generation.kept === kept) return generation;
  if (!isFinal(generation.status))
    throw new AppError(
      'request_live',
      'This request is not final yet. Wait until it is; it can be kept for 30 days from then on.',
    );
  return transactionOf(accountId, async tx => {
    if (kept) await requireRoom(accountId, 'LIMIT_STORED_BYTES', bytesOf(generation), tx);
    // locks the request before its media, in the order of a removal
    const [now] = await tx.select().from(requests).where(eq(requests.id, generation.id)).for('update');
    if (!now?.result) throw nothingToKeep();
    if (now.kept === kept) return now;
    const result = change(now.createdAt, now.result);
    const files = await tx
      .update(media)
      .set({ expiresAt: new Date(result.expiresAt) })
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
      .set({ kept, result, updatedAt: sql`now()` })
      .where(eq(requests.id, generation.id))
      .returning();
    return row!;
  });
}

const nothingToKeep = () => new AppError('media_expired', 'This request has no media to keep, or none any more.');

const bytesOf = ({ result }: Generation): number =>
  result ? sum([result, ...(result.renditions ?? [])].map(({ bytes }) => bytes)) : 0;
