import { pool } from '#lib/db/client';
import { liveIn } from '#lib/status';
import { deleteFiles } from '#lib/storage/delete-files';

const BATCH = 200;

/**
 * Deletes expired files and marks their rows as deleted; the facts in the rows stay. Files that a live request uses are
 * left for a later call. Rows are marked first, so that no request starts to use a file that is about to be deleted; a
 * file that a crash leaves behind has no live row, and is swept as an orphan.
 */
export async function expireMedia(now: Date, stopped?: AbortSignal): Promise<number> {
  let deleted = 0;
  while (!stopped?.aborted) {
    const keys = await markExpired(now);
    await deleteFiles(keys);
    deleted += keys.length;
    if (keys.length < BATCH) break;
  }
  return deleted;
}

async function markExpired(now: Date): Promise<string[]> {
  const { rows } = await pool().query<{ key: string }>(
    // an array is evaluated once, whereas a subquery with `in` might be evaluated for each row and exceed its limit
    `update media set deleted_at = $1 where id = any(array(
      select id from media
      where deleted_at is null and expires_at <= $1 and id not in (
        select (input ->> 'mediaId')::uuid from requests, jsonb_array_elements(inputs) input
        where ${liveIn()} and input ->> 'mediaId' is not null)
      order by expires_at limit $2 for update skip locked))
    returning key`,
    [now, BATCH],
  );
  return rows.map(({ key }) => key);
}
