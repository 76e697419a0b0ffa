import pMap from 'p-map';
import { pool } from '#lib/db/client';
import { log } from '#lib/log';
import { AT_ONCE } from '#lib/retention/expire-media';
import { storage } from '#lib/storage/store';

const BATCH = 500;
/** A file is stored before its row: a young one without a row may be about to get it. */
const GRACE_MS = 3_600_000;

/** Deletes files that no row stands for: what a crash between file and row, or a lost claim, left behind. */
export async function sweepOrphans(now: Date, stopped?: AbortSignal): Promise<number> {
  const before = new Date(now.getTime() - GRACE_MS);
  let swept = await storage().sweepUnfinished(before);
  let keys: string[] = [];
  for await (const { key, modifiedAt } of storage().list('')) {
    if (stopped?.aborted) return swept;
    if (modifiedAt >= before) continue;
    keys.push(key);
    if (keys.length < BATCH) continue;
    swept += await deleteOrphans(keys);
    keys = [];
  }
  return swept + (await deleteOrphans(keys));
}

async function deleteOrphans(keys: string[]): Promise<number> {
  const { rows } = await pool().query<{ key: string }>(
    `select key from unnest($1::text[]) key
    where not exists (select from media where media.key = key.key and deleted_at is null)
      and not exists (select from uploads where uploads.key = key.key and ready_at is null)`,
    [keys],
  );
  await pMap(rows, ({ key }) => storage().delete(key), { concurrency: AT_ONCE });
  if (rows.length) log().warn({ keys: rows.map(({ key }) => key) }, 'files without a row deleted');
  return rows.length;
}
