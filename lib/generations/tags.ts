import { and, count, desc, eq, isNull } from 'drizzle-orm';
import { db } from '#lib/db/client';
import { transactionOf } from '#lib/db/in-turn';
import { requests, requestTags } from '#lib/db/schema';
import { AppError } from '#lib/errors';
import { getGeneration } from '#lib/generations/read';
import type { Generation } from '#lib/life/generation';

/** Most tags of a request. */
const MOST = 20;
/** More than these nobody looks through; one that is not listed finds its requests all the same. */
const LISTED = 500;

/** Gives a request of the account a tag. Throws `quota_exceeded` when it has as many as it may. Idempotent. */
export async function addTag(accountId: string, id: string, tag: string): Promise<Generation> {
  const generation = await getGeneration(accountId, id);
  await transactionOf(accountId, async tx => {
    // of two who add at a time, the second one counts what the first has added
    await tx.select({ id: requests.id }).from(requests).where(eq(requests.id, generation.id)).for('no key update');
    await tx.insert(requestTags).values({ accountId, tag, requestId: generation.id }).onConflictDoNothing();
    const [has] = await tx.select({ count: count() }).from(requestTags).where(eq(requestTags.requestId, generation.id));
    if (has!.count > MOST)
      throw new AppError('quota_exceeded', `A request has at most ${MOST} tags. Remove one first.`);
  });
  return generation;
}

/** Takes a tag away; one that the request does not have is not missed. */
export async function removeTag(accountId: string, id: string, tag: string): Promise<Generation> {
  const generation = await getGeneration(accountId, id);
  await db()
    .delete(requestTags)
    .where(and(eq(requestTags.requestId, generation.id), eq(requestTags.tag, tag)));
  return generation;
}

/** The tags of a request, in the order of the alphabet. */
export async function tagsOf(requestId: string): Promise<string[]> {
  const rows = await db()
    .select({ tag: requestTags.tag })
    .from(requestTags)
    .where(eq(requestTags.requestId, requestId))
    .orderBy(requestTags.tag);
  return rows.map(({ tag }) => tag);
}

/** The ids of what the account has given the tag. */
export const taggedWith = (accountId: string, tag: string) =>
  db()
    .select({ id: requestTags.requestId })
    .from(requestTags)
    .where(and(eq(requestTags.accountId, accountId), eq(requestTags.tag, tag)));

/** Tags of what is in the history, those on most requests first, as far as they are listed. */
export const listTags = (accountId: string): Promise<{ tag: string; count: number }[]> =>
  db()
    .select({ tag: requestTags.tag, count: count() })
    .from(requestTags)
    .innerJoin(requests, eq(requests.id, requestTags.requestId))
    .where(and(eq(requestTags.accountId, accountId), isNull(requests.removedAt)))
    .groupBy(requestTags.tag)
    .orderBy(desc(count()), requestTags.tag)
    .limit(LISTED);
