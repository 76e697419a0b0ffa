import { and, asc, count, desc, eq, inArray, isNull, sql, type SQL } from 'drizzle-orm';
import { db } from '#lib/db/client';
import { transactionOf } from '#lib/db/in-turn';
import { invalidCursor, toPage, type Page } from '#lib/db/page';
import { collectionItems, collections, requests } from '#lib/db/schema';
import { AppError } from '#lib/errors';
import { hasResult, type WithResult } from '#lib/generations/has-result';
import { isUuid, newId } from '#lib/ids';
import { putItems } from '#lib/library/collection-items';
import type { Generation } from '#lib/life/generation';
import { requireRoom } from '#lib/quotas';

export type CollectionRow = typeof collections.$inferSelect;

/** A collection with its number of items and its cover. */
export interface Collection {
  row: CollectionRow;
  count: number;
  cover: Generation | null;
}

/** Condition for the items of a collection: requests removed from the history are left out. */
const shown = (collectionId: string) => and(eq(collectionItems.collectionId, collectionId), isNull(requests.removedAt));

/** Creates a collection of requests of the account. Throws `quota_exceeded` and `request_not_found`. */
export async function createCollection(
  accountId: string,
  { name, notes = null, requestIds }: { name: string; notes?: string | null | undefined; requestIds: string[] },
): Promise<CollectionRow> {
  return transactionOf(accountId, async tx => {
    await requireRoom(accountId, 'LIMIT_COLLECTIONS', 1, tx);
    const [row] = await tx.insert(collections).values({ id: newId(), accountId, name, notes }).returning();
    if (requestIds.length) await putItems(row!, requestIds, null, tx);
    return row!;
  });
}

/** Returns a collection. Throws `not_found`, also for another account's collection or a malformed id. */
export async function getCollection(accountId: string, id: string): Promise<CollectionRow> {
  const own = and(eq(collections.id, id), eq(collections.accountId, accountId));
  const [row] = isUuid(id) ? await db().select().from(collections).where(own) : [];
  if (!row) throw new AppError('not_found', 'No collection with this id belongs to the account.');
  return row;
}

export async function hasCollections(accountId: string): Promise<boolean> {
  const some = await db().select().from(collections).where(eq(collections.accountId, accountId)).limit(1);
  return some.length > 0;
}

/** Lists all collections of the account, most recently changed first. */
export async function listCollections(accountId: string): Promise<Collection[]> {
  const rows = await db()
    .select()
    .from(collections)
    .where(eq(collections.accountId, accountId))
    .orderBy(desc(collections.updatedAt), desc(collections.id));
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const counts = await db()
    .select({ id: collectionItems.collectionId, count: count() })
    .from(collectionItems)
    .innerJoin(requests, eq(requests.id, collectionItems.requestId))
    .where(and(inArray(collectionItems.collectionId, ids), isNull(requests.removedAt)))
    .groupBy(collectionItems.collectionId);
  const covers = await db()
    .selectDistinctOn([collections.id], { id: collections.id, cover: requests })
    .from(collections)
    .innerJoin(collectionItems, eq(collectionItems.collectionId, collections.id))
    .innerJoin(requests, eq(requests.id, collectionItems.requestId))
    .where(and(eq(collections.accountId, accountId), isNull(requests.removedAt)))
    .orderBy(
      collections.id,
      desc(sql`${requests.id} is not distinct from ${collections.coverId}`),
      collectionItems.place,
    );
  const countOf = new Map(counts.map(row => [row.id, row.count]));
  const coverOf = new Map(covers.map(row => [row.id, row.cover]));
  return rows.map(row => ({ row, count: countOf.get(row.id) ?? 0, cover: coverOf.get(row.id) ?? null }));
}

/** Returns the items of a collection in its owner's order. */
export async function readItems(collectionId: string, only?: string): Promise<Generation[]> {
  const rows = await db()
    .select({ request: requests })
    .from(collectionItems)
    .innerJoin(requests, eq(requests.id, collectionItems.requestId))
    .where(and(shown(collectionId), only === undefined ? undefined : eq(requests.id, only)))
    .orderBy(asc(collectionItems.place), asc(collectionItems.requestId));
  return rows.map(({ request }) => request);
}

/** Returns a page of the items that have a result, in the owner's order. Throws `invalid_request` for a bad cursor. */
export async function readShownItems(
  collectionId: string,
  cursor: string | undefined,
  limit: number,
): Promise<Page<WithResult>> {
  const { place, requestId } = collectionItems;
  const rows = await db()
    .select({ request: requests, place })
    .from(collectionItems)
    .innerJoin(requests, eq(requests.id, requestId))
    .where(
      and(
        shown(collectionId),
        sql`(${requests.result}->>'expiresAt')::timestamptz > now()`,
        cursor === undefined ? undefined : sql`(${place}, ${requestId}) > ${placeOf(cursor)}`,
      ),
    )
    .orderBy(asc(place), asc(requestId))
    .limit(limit + 1);
  const { data, nextCursor } = toPage(rows, limit, ({ request, place }) => `${place}_${request.id}`);
  return { data: data.map(({ request }) => request).filter(hasResult), nextCursor };
}

function placeOf(cursor: string): SQL {
  const [place, id, ...rest] = cursor.split('_');
  if (!place || !Number.isFinite(Number(place)) || !isUuid(id ?? '') || rest.length) throw invalidCursor(cursor);
  return sql`(${Number(place)}::float8, ${id}::uuid)`;
}

export async function changeCollection(
  accountId: string,
  id: string,
  change: Partial<Pick<CollectionRow, 'name' | 'notes' | 'coverId'>>,
): Promise<CollectionRow> {
  const { id: collectionId } = await getCollection(accountId, id);
  if (change.coverId) await requireItem(collectionId, change.coverId);
  const [row] = await db()
    .update(collections)
    .set({ ...change, updatedAt: sql`now()` })
    .where(eq(collections.id, collectionId))
    .returning();
  return row ?? (await getCollection(accountId, id));
}

async function requireItem(collectionId: string, requestId: string): Promise<void> {
  const item = and(eq(collectionItems.collectionId, collectionId), eq(collectionItems.requestId, requestId));
  const [found] = await db().select().from(collectionItems).where(item);
  if (!found) throw new AppError('not_found', 'The cover has to be in the collection. Put it there first.');
}

/** Deletes a collection. Its requests stay in the history. */
export async function removeCollection(accountId: string, id: string): Promise<void> {
  const { id: collectionId } = await getCollection(accountId, id);
  await db().delete(collections).where(eq(collections.id, collectionId));
}
