import type { Page } from '#lib/db/page';
import { listGenerations } from '#lib/generations/list';
import type { Generation } from '#lib/life/generation';

/** Begins the cursors that lie among the favourites. */
const KEPT = 'kept:';
/** The cursor of the first page after them. */
const OTHERS = 'others';

/** A page of results whose prompt has words that begin so: favourites first, then the others, each newest first. */
export async function searchCreations(
  accountId: string,
  q: string,
  { limit, cursor = KEPT }: { limit: number; cursor?: string | undefined },
): Promise<Page<Generation>> {
  const find = (favourite: boolean, limit: number, cursor: string) =>
    listGenerations(accountId, {
      q,
      limit,
      favourite,
      cursor: cursor || undefined,
      status: ['completed'],
      removed: false,
    });
  if (!cursor.startsWith(KEPT)) return find(false, limit, cursor === OTHERS ? '' : cursor);

  const kept = await find(true, limit, cursor.slice(KEPT.length));
  if (kept.nextCursor) return { data: kept.data, nextCursor: KEPT + kept.nextCursor };
  if (kept.data.length === limit) return { data: kept.data, nextCursor: OTHERS };
  const others = await find(false, limit - kept.data.length, '');
  return { data: [...kept.data, ...others.data], nextCursor: others.nextCursor };
}
