import { and, count, desc, eq, isNull } from 'drizzle-orm';
import { db } from '#lib/db/client';
import { transactionOf } from '#lib/db/in-turn';
import { requests, requestTags } from '#lib/db/schema';
import { AppError } from '#lib/errors';
import { getGeneration } from '#lib/generations/read';
import type { Generation } from '#lib/life/generation';

/** Maximum number of tags of a request. */
const MOST = 20;
/** Maximum number of tags in a list; tags beyond it can still be used as filters. */
const LISTED = 500;

/** Adds a tag to a request of the account. Throws `quota_exceeded` when it has `MOST` tags already. Idempotent. */
export async function addTag(accountId: string, id: string, tag: string): Promise<Generation> {
  const generation = await getGeneration(accountId, id);
  await transactionOf(accountId, async tx => {
    // the lock makes concurrent calls count each other's tags
    await tx.select({ id: requests.id }).from(requests).where(eq(requests.id, generation.id)).for('no key update');
    await tx.insert(requestTags).values({ accountId, tag, requestId: generation.id }).onConflictDoNothing();
    const [has] = await tx.select({ count: count() }).from(requestTags).where(eq(requestTags.requestId, generation.id));
    if (has!.count > MOST)
      throw new AppError('quota_exceeded', `A request has at most ${MOST} tags. Remove one first.`);
  });
  return generation;
}

/** Removes a tag from a request of the account; does nothing if the request does not have it. */
export async function removeTag(accountId: string, id: string, tag: string): Promise<Generation> {
  const generation = await getGeneration(accountId, id);
  await db()
    .delete(requestTags)
    .where(and(eq(requestTags.requestId, generation.id), eq(requestTags.tag, tag)));
  return generation;
}

/** Returns the tags of a request, in alphabetical order. */
export async function tagsOf(requestId: string): Promise<string[]> {
  const rows = await db()
    .select({ tag: requestTags.tag })
    .from(requestTags)
    .where(eq(requestTags.requestId, requestId))
    .orderBy(requestTags.tag);
  return rows.map(({ tag }) => tag);
}

/** Query for the ids of the account's requests with a tag. */
export const taggedWith = (accountId: string, tag: string) =>
  db()
    .select({ id: requestTags.requestId })
    .from(requestTags)
    .where(and(eq(requestTags.accountId, accountId), eq(requestTags.tag, tag)));

/** Lists the tags of requests in the history, the most used first, up to `LISTED`. */
export const listTags = (accountId: string): Promise<{ tag: string; count: number }[]> =>
  db()
    .select({ tag: requestTags.tag, count: count() })
    .from(requestTags)
    .innerJoin(requests, eq(requests.id, requestTags.requestId))
    .where(and(eq(requestTags.accountId, accountId), isNull(requests.removedAt)))
    .groupBy(requestTags.tag)
    .orderBy(desc(count()), requestTags.tag)
    .limit(LISTED);
