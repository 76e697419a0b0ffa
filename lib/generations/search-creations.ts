import type { Page } from '#lib/db/page';
import type { ShownRequest } from '#lib/db/shown-request';
import { listGenerations } from '#lib/generations/list';
import { mediaSince } from '#lib/media/lifetime';

/** Begins the cursors that lie among the kept ones. */
const KEPT = 'kept:';
/** The cursor of the first page after them. */
const OTHERS = 'others';

/** A page of results whose prompt has words that begin so: kept ones first, then the others, each newest first. */
export async function searchCreations(
  accountId: string,
  q: string,
  { limit, cursor = KEPT }: { limit: number; cursor?: string | undefined },
): Promise<Page<ShownRequest>> {
  const find = (isKept: boolean, limit: number, cursor: string) =>
    listGenerations(accountId, {
      q,
      limit,
      kept: isKept,
      cursor: cursor || undefined,
      status: ['completed'],
      removed: false,
      // the files of the others have gone by then
      madeSince: isKept ? undefined : mediaSince(new Date()),
    });
  if (!cursor.startsWith(KEPT)) return find(false, limit, cursor === OTHERS ? '' : cursor);

  const kept = await find(true, limit, cursor.slice(KEPT.length));
  if (kept.nextCursor) return { data: kept.data, nextCursor: KEPT + kept.nextCursor };
  const room = limit - kept.data.length;
  // on a full page, one of the others tells whether there is another page
  const others = await find(false, room || 1, '');
  if (room === 0) return { data: kept.data, nextCursor: others.data.length > 0 ? OTHERS : null };
  return { data: [...kept.data, ...others.data], nextCursor: others.nextCursor };
}
