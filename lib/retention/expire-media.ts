import { pool } from '#lib/db/client';
import { liveIn } from '#lib/status';
import { deleteFiles } from '#lib/storage/delete-files';

const BATCH = 200;

/**
 * Deletes the files whose time is over and marks their rows, whose facts stay. What a live request still uses is left for
 * the next time. The mark goes first, so that nobody takes up a file that is about to go; a file whose deletion a crash
 * prevented has no row any more and goes as an orphan.
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
    // an array is looked for once, where a list might be with each row, and be longer
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
