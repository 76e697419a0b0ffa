import type { Page } from '#lib/db/page';
import type { ShownRequest } from '#lib/db/shown-request';
import { listGenerations } from '#lib/generations/list';
import { mediaSince } from '#lib/media/lifetime';

/** Prefix of cursors within the kept results. */
const KEPT = 'kept:';
/** Cursor of the first page after the kept results. */
const OTHERS = 'others';

/** Searches results by prefixes of words of the prompt: kept ones first, then the others, each newest first. */
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
      // older results that are not kept have expired
      madeSince: isKept ? undefined : mediaSince(new Date()),
    });
  if (!cursor.startsWith(KEPT)) return find(false, limit, cursor === OTHERS ? '' : cursor);

  const kept = await find(true, limit, cursor.slice(KEPT.length));
  if (kept.nextCursor) return { data: kept.data, nextCursor: KEPT + kept.nextCursor };
  const room = limit - kept.data.length;
  // when the kept results fill the page, one other result shows whether there is a next page
  const others = await find(false, room || 1, '');
  if (room === 0) return { data: kept.data, nextCursor: others.data.length > 0 ? OTHERS : null };
  return { data: [...kept.data, ...others.data], nextCursor: others.nextCursor };
}
