import { and, eq } from 'drizzle-orm';
import { db } from '#lib/db/client';
import { media } from '#lib/db/schema';
import { storage } from '#lib/storage/store';
import type { MediaInput } from '#lib/uploads/media-input';

type Discarded = Pick<MediaInput, 'mediaId' | 'expiresAt' | 'isNew' | 'before'>;

/**
 * Deletes the files that were stored for a refused request, unless another request has used them since, which extends
 * their expiry. The row is deleted first: a file that a crash leaves behind has no row, and is swept as an orphan.
 */
export async function discardInputs(inputs: readonly Discarded[]): Promise<void> {
  for (const { mediaId, expiresAt, isNew } of inputs) {
    if (!isNew || !expiresAt) continue;
    const last = lastExpiry(inputs, mediaId, expiresAt);
    const untouched = and(eq(media.id, mediaId), eq(media.kind, 'input'), eq(media.expiresAt, last));
    const [row] = await db().delete(media).where(untouched).returning({ key: media.key });
    if (row) await storage().delete(row.key);
  }
}

/** Follows the extensions of a file's expiry by `inputs` with the same bytes, up to one by another request. */
function lastExpiry(inputs: readonly Discarded[], mediaId: string, expiresAt: Date): Date {
  const next = inputs.find(one => one.mediaId === mediaId && one.before?.getTime() === expiresAt.getTime());
  return next?.expiresAt ? lastExpiry(inputs, mediaId, next.expiresAt) : expiresAt;
}
