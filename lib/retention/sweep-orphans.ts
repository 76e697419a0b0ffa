import { pool } from '#lib/db/client';
import { filesSince } from '#lib/deployment';
import { log } from '#lib/log';
import { isOutage } from '#lib/outage';
import { isNewMediaKey } from '#lib/storage/media-key';
import type { ListedObject } from '#lib/storage/storage';
import { deleteFiles } from '#lib/storage/delete-files';
import { GRACE_MS, WITHOUT_ROW } from '#lib/storage/files-without-row';
import { storage } from '#lib/storage/store';
import { LIVE_LIST } from '#lib/status';

const BATCH = 500;
/** SQL: start of the oldest held request, whose files may wait hours for the others; allows for clock skew. */
const HELD_SINCE = `
  select coalesce(min(started_at) - interval '1 minute', 'infinity') from requests
  where status in (${LIVE_LIST}) and worker is not null`;

/** Deletes files without a row, left by a crash between file and row or by a lost claim. Returns their number. */
export async function sweepOrphans(now: Date, stopped?: AbortSignal): Promise<number> {
  const before = new Date(now.getTime() - GRACE_MS);
  let swept = await storage().sweepUnfinished(before);
  let files: ListedObject[] = [];
  const deleteThese = () =>
    deleteOrphans(files).catch((error: unknown) => {
      if (isOutage(error)) throw error;
      log().warn({ err: error }, 'orphaned files not deleted');
      return 0;
    });
  for await (const file of storage().list('')) {
    if (stopped?.aborted) return swept;
    if (file.modifiedAt >= before || !isNewMediaKey(file.key)) continue;
    files.push(file);
    if (files.length < BATCH) continue;
    swept += await deleteThese();
    files = [];
  }
  return swept + (await deleteThese());
}

/** Deletes the orphans among `files`, but none that another database may have written: this one may be from a dump. */
async function deleteOrphans(files: ListedObject[]): Promise<number> {
  const { rows } = await pool().query<{ key: string }>(
    `select key from unnest($1::text[], $2::timestamptz[]) as file (key, modified_at), (${filesSince('$3')}) as deployment
    where ${WITHOUT_ROW}
      and modified_at < (${HELD_SINCE})
      and (modified_at >= since or exists (select from media where media.key = file.key))`,
    [files.map(({ key }) => key), files.map(({ modifiedAt }) => modifiedAt), await storage().identity()],
  );
  const keys = rows.map(({ key }) => key);
  await deleteFiles(keys);
  if (keys.length) log().warn({ keys }, 'orphaned files deleted');
  return keys.length;
}
