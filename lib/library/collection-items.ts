import { and, asc, count, eq, inArray, isNull, lt, max, not, sql } from 'drizzle-orm';
import { COLLECTION_SIZE } from '#lib/contract/library-limits';
import type { Tx } from '#lib/db/client';
import { transactionOf } from '#lib/db/in-turn';
import { collectionItems, collections, requests } from '#lib/db/schema';
import { AppError } from '#lib/errors';

interface Collection {
  id: string;
  accountId: string;
}

/**
 * Puts requests of the account into a collection in the given order: before the request `before`, or at the end.
 * Requests already in it are moved. Throws `request_not_found`, also for `before`, and `quota_exceeded`.
 */
export async function putItems(
  { id, accountId }: Collection,
  requestIds: readonly string[],
  before: string | null,
  tx?: Tx,
): Promise<void> {
  const ids = [...new Set(requestIds)];
  const put = async (tx: Tx) => {
    // locked, so that concurrent calls do not assign the same places
    await tx.select().from(collections).where(eq(collections.id, id)).for('no key update');
    await requireOwn(tx, accountId, ids);
    const places = await freePlaces(tx, id, ids, before);
    await tx
      .insert(collectionItems)
      .values(ids.map((requestId, index) => ({ collectionId: id, requestId, place: places[index]! })))
      .onConflictDoUpdate({
        target: [collectionItems.collectionId, collectionItems.requestId],
        set: { place: sql`excluded.place` },
      });
    // requests removed from the history do not count: the owner no longer sees them and could not take them out
    const [inside] = await tx
      .select({ count: count() })
      .from(collectionItems)
      .innerJoin(requests, eq(requests.id, collectionItems.requestId))
      .where(and(eq(collectionItems.collectionId, id), isNull(requests.removedAt)));
    if (inside!.count > COLLECTION_SIZE)
      throw new AppError(
        'quota_exceeded',
        `A collection holds at most ${COLLECTION_SIZE} requests. Start another one.`,
      );
    await touch(tx, id);
  };
  await (tx ? put(tx) : transactionOf(accountId, put));
}

export async function takeItems({ id, accountId }: Collection, requestIds: readonly string[]): Promise<void> {
  await transactionOf(accountId, async tx => {
    const named = and(eq(collectionItems.collectionId, id), inArray(collectionItems.requestId, [...requestIds]));
    await tx.delete(collectionItems).where(named);
    await touch(tx, id);
  });
}

const touch = (tx: Tx, id: string) =>
  tx
    .update(collections)
    .set({ updatedAt: sql`now()` })
    .where(eq(collections.id, id));

async function requireOwn(tx: Tx, accountId: string, ids: string[]): Promise<void> {
  const own = await tx
    .select({ id: requests.id })
    .from(requests)
    .where(and(inArray(requests.id, ids), eq(requests.accountId, accountId), isNull(requests.removedAt)));
  if (own.length < ids.length)
    throw new AppError('request_not_found', 'One of these requests is not in the history of the account.');
}

/** Returns a place for each id: after the last item, or evenly spaced in the gap before the item `before`. */
async function freePlaces(tx: Tx, collectionId: string, ids: string[], before: string | null): Promise<number[]> {
  const others = and(eq(collectionItems.collectionId, collectionId), not(inArray(collectionItems.requestId, ids)));
  const [at] = before
    ? await tx
        .select()
        .from(collectionItems)
        .where(and(others, eq(collectionItems.requestId, before)))
    : [];
  if (before && !at)
    throw new AppError('request_not_found', 'before must name another request that is in the collection.');
  const [last] = await tx
    .select({ place: max(collectionItems.place) })
    .from(collectionItems)
    .where(at ? and(others, lt(collectionItems.place, at.place)) : others);
  const from = last?.place ?? (at ? at.place - ids.length - 1 : 0);
  const step = at ? (at.place - from) / (ids.length + 1) : 1;
  const places = ids.map((_, index) => from + step * (index + 1));
  // after some fifty halvings the gap is below the precision of a double
  if (at && (places[0] === from || places.at(-1) === at.place)) {
    await respread(tx, collectionId);
    return freePlaces(tx, collectionId, ids, before);
  }
  return places;
}

/** Renumbers the places with whole numbers, keeping their order. */
async function respread(tx: Tx, collectionId: string): Promise<void> {
  const rows = await tx
    .select({ requestId: collectionItems.requestId })
    .from(collectionItems)
    .where(eq(collectionItems.collectionId, collectionId))
    .orderBy(asc(collectionItems.place), asc(collectionItems.requestId));
  await tx.execute(sql`
    update ${collectionItems} set place = spread.place
    from unnest(${sql.param(rows.map(({ requestId }) => requestId))}::uuid[]) with ordinality as spread (id, place)
    where ${collectionItems.collectionId} = ${collectionId} and ${collectionItems.requestId} = spread.id`);
}
