import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import { transactionOf } from '#lib/db/in-turn';
import { media, requests } from '#lib/db/schema';
import { AppError } from '#lib/errors';
import { getReadable } from '#lib/generations/read';
import { removeRefusal } from '#lib/life/refusals';
import { expiryOf } from '#lib/media/lifetime';
import { isFinal } from '#lib/status';

/**
 * Removes a final request from the history and expires its media: their URLs answer 410 from now on, and retention
 * deletes the files once no live request uses them as inputs. The row and its facts stay. Idempotent. Throws
 * `request_live`.
 */
export async function removeGeneration(accountId: string, id: string): Promise<void> {
  const generation = await getReadable(accountId, id);
  if (generation.refused) return removeRefusal(generation.id);
  if (!isFinal(generation.status)) throw new AppError('request_live', 'The request is still live; cancel it first.');
  const expiresAt = JSON.stringify(expiryOf(generation.createdAt));
  await transactionOf(accountId, async tx => {
    await tx
      .update(requests)
      .set({
        removedAt: sql`now()`,
        updatedAt: sql`now()`,
        kept: false,
        // a kept result gets its ordinary expiry back
        result: sql`case when ${requests.kept} then jsonb_set(${requests.result}, '{expiresAt}', ${expiresAt}::jsonb) else ${requests.result} end`,
      })
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
