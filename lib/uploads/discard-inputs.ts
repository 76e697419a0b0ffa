import { and, eq } from 'drizzle-orm';
import { db } from '#lib/db/client';
import { media } from '#lib/db/schema';
import { storage } from '#lib/storage/store';
import type { MediaInput } from '#lib/uploads/media-input';

type Discarded = Pick<MediaInput, 'mediaId' | 'expiresAt' | 'isNew' | 'before'>;

/**
 * Takes back what was stored for something that was refused: files that came with it and that nobody else took up since, for
 * whoever does makes them live longer. The row goes first; a file that a crash leaves behind has none and goes as an orphan.
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

/** When a file expires that expired then, after all of these that had the same bytes; one that anybody else took up in between is not followed. */
function lastExpiry(inputs: readonly Discarded[], mediaId: string, expiresAt: Date): Date {
  const next = inputs.find(one => one.mediaId === mediaId && one.before?.getTime() === expiresAt.getTime());
  return next?.expiresAt ? lastExpiry(inputs, mediaId, next.expiresAt) : expiresAt;
}
