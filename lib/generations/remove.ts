import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import { transactionOf } from '#lib/db/in-turn';
import { media, requests } from '#lib/db/schema';
import { ISO, now } from '#lib/db/schema/columns';
import { AppError } from '#lib/errors';
import { getReadable } from '#lib/generations/read';
import { removeRefusal } from '#lib/life/refusals';
import { isFinal } from '#lib/status';
import { endInputs } from '#lib/uploads/end-inputs';

/**
 * Removes a final request from the history and expires its media, and its inputs that nothing else uses: their URLs
 * answer 410 from now on, and retention deletes the files once no live request uses them as inputs. The row and its
 * facts stay; of a refused submit, the prompt goes too. Idempotent. Throws `request_live`.
 */
export async function removeGeneration(accountId: string, id: string): Promise<void> {
  const generation = await getReadable(accountId, id);
  if (generation.refused) return removeRefusal(generation.id);
  if (!isFinal(generation.status)) throw new AppError('request_live', 'The request is still live; cancel it first.');
  const inputs = generation.inputs.flatMap(({ mediaId }) => mediaId ?? []);
  const expiresAt = sql`least(${requests.result} ->> 'expiresAt', to_char(${now} at time zone 'UTC', ${ISO}))`;
  await transactionOf(accountId, async tx => {
    await tx
      .update(requests)
      .set({
        removedAt: now,
        updatedAt: now,
        kept: false,
        result: sql`jsonb_set(${requests.result}, '{expiresAt}', to_jsonb(${expiresAt}))`,
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
    await endInputs(tx, accountId, inputs);
  });
}
