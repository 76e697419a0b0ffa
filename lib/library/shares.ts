import { and, desc, eq, isNull } from 'drizzle-orm';
import type { NewShare } from '#lib/contract/library-schemas';
import { db } from '#lib/db/client';
import { holdAccount } from '#lib/db/hold-account';
import { transactionOf } from '#lib/db/in-turn';
import { accounts, collections, requests, shares } from '#lib/db/schema';
import { AppError } from '#lib/errors';
import { hasResult } from '#lib/generations/has-result';
import { nameOf } from '#lib/generations/name-of';
import { getGeneration } from '#lib/generations/read';
import { isUuid, newId, randomToken } from '#lib/ids';
import { getCollection, readItems, readShownItems } from '#lib/library/collections';
import type { Generation } from '#lib/life/generation';
import { requireRoom } from '#lib/quotas';

/** Length of a token: 22 characters of base62 are 131 bits. */
const TOKEN_LENGTH = 22;
const TOKEN = /^[0-9A-Za-z]{22}$/;

export interface Share {
  row: typeof shares.$inferSelect;
  /** Name of the result or the collection. */
  title: string;
}

/** Contents of a shared page, for anyone who has its address. */
export interface Shared {
  token: string;
  of: 'result' | 'collection';
  title: string;
  notes: string | null;
  settings: boolean;
  items: Generation[];
  /** Cursor of the next page of items; null on the last page. */
  nextCursor: string | null;
}

/** Part of a shared page: the items from a cursor on, or a single result. */
interface SharedPart {
  cursor?: string | undefined;
  request_id?: string | undefined;
}

/** Number of items per page. */
const PAGE = 60;

/**
 * Shares a result or a collection on a page for anyone who has its address. Sharing it again returns the existing page,
 * with the given `settings`. Throws `request_not_found`, `not_found`, `media_expired` and `quota_exceeded`.
 */
export async function createShare(
  accountId: string,
  { request_id, collection_id, settings }: NewShare,
): Promise<Share> {
  const requestId = request_id ? (await getShareable(accountId, request_id)).id : null;
  const collectionId = collection_id ? (await getCollection(accountId, collection_id)).id : null;
  const id = await transactionOf(accountId, async tx => {
    // locked, so that two concurrent calls create one page
    await holdAccount(accountId, tx, 'no key update');
    const same = requestId ? eq(shares.requestId, requestId) : eq(shares.collectionId, collectionId!);
    const [there] = await tx.update(shares).set({ settings }).where(same).returning();
    if (there) return there.id;
    await requireRoom(accountId, 'LIMIT_SHARES', 1, tx);
    const token = randomToken(TOKEN_LENGTH);
    const [row] = await tx
      .insert(shares)
      .values({ id: newId(), token, accountId, requestId, collectionId, settings })
      .returning();
    return row!.id;
  });
  const [share] = await find(accountId, id);
  if (!share) throw new AppError('not_found', 'What you want to share has been deleted.');
  return share;
}

async function getShareable(accountId: string, id: string): Promise<Generation> {
  const generation = await getGeneration(accountId, id);
  if (!hasResult(generation))
    throw new AppError('media_expired', 'This request has no result to show, or none any more.');
  return generation;
}

/** Lists the pages that the account shares, newest first. */
export const listShares = (accountId: string): Promise<Share[]> => find(accountId);

async function find(accountId: string, id?: string): Promise<Share[]> {
  const rows = await db()
    .select({ row: shares, request: { prompt: requests.prompt, runPart: requests.runPart }, name: collections.name })
    .from(shares)
    .leftJoin(requests, eq(requests.id, shares.requestId))
    .leftJoin(collections, eq(collections.id, shares.collectionId))
    .where(and(eq(shares.accountId, accountId), id === undefined ? undefined : eq(shares.id, id)))
    .orderBy(desc(shares.id));
  return rows.map(({ row, request, name }) => ({ row, title: request ? nameOf(request) : (name ?? '') }));
}

export async function endShare(accountId: string, id: string): Promise<void> {
  const own = and(eq(shares.id, id), eq(shares.accountId, accountId));
  const gone = isUuid(id) ? await db().delete(shares).where(own).returning() : [];
  if (gone.length === 0) throw new AppError('not_found', 'No shared page with this id belongs to the account.');
}

/** Finds the share of a token. Throws `not_found`, also when the account is disabled. */
async function findShared(token: string) {
  const [found] = !TOKEN.test(token)
    ? []
    : await db()
        .select({ row: shares, collection: collections })
        .from(shares)
        .innerJoin(accounts, and(eq(accounts.id, shares.accountId), isNull(accounts.disabledAt)))
        .leftJoin(collections, eq(collections.id, shares.collectionId))
        .where(eq(shares.token, token));
  if (!found)
    throw new AppError(
      'not_found',
      'Nothing is shared at this address, or no longer. Ask the person who sent it to you.',
    );
  return found;
}

/** Returns the shared result, or the items of the shared collection; with `only`, that one alone. */
async function itemsOf({ requestId, collectionId }: Share['row'], only?: string): Promise<Generation[]> {
  if (!requestId) return readItems(collectionId!, only);
  return only === undefined || only === requestId ? db().select().from(requests).where(eq(requests.id, requestId)) : [];
}

const nothingLeft = () => new AppError('media_expired', 'What was shared here is gone.');

/** Returns the contents of a shared page. Throws `not_found` for an unknown token, `media_expired` when it is empty. */
export async function readShared(token: string, { cursor, request_id: only }: SharedPart = {}): Promise<Shared> {
  const { row, collection } = await findShared(token);
  const isPaged = row.collectionId !== null && only === undefined;
  const { data: items, nextCursor } = isPaged
    ? await readShownItems(row.collectionId!, cursor, PAGE)
    : { data: (await itemsOf(row, only)).filter(hasResult), nextCursor: null };
  // a later page may be empty, since its items may have been removed meanwhile
  const isRest = isPaged && cursor !== undefined;
  if (items.length === 0 && !isRest) throw nothingLeft();
  return {
    token,
    of: collection ? 'collection' : 'result',
    title: collection?.name ?? (row.settings ? nameOf(items[0]!) : ''),
    notes: collection?.notes ?? null,
    settings: row.settings,
    items,
    nextCursor,
  };
}

/** Returns the key of a shared result, for serving its file without the settings in it. Throws like `readShared`. */
export async function getSharedKey(token: string, requestId: string): Promise<string> {
  const { row } = await findShared(token);
  // only this item is read, because a player requests many byte ranges and a collection may be large
  const items = isUuid(requestId) ? await itemsOf(row, requestId) : [];
  const item = items.find(({ id }) => id === requestId);
  if (!item) throw new AppError('not_found', 'This is not shared here.');
  if (!hasResult(item)) throw nothingLeft();
  return item.result.key;
}
