import { pool } from '#lib/db/client';
import { LIVE_LIST } from '#lib/status';

/** Preview of an image in progress. */
export interface Frame {
  contentType: string;
  bytes: Uint8Array;
}

/** Maximum size of a frame; larger frames are dropped. */
const MOST_BYTES = 400_000;

/** Stores the latest frame of each request, replacing the previous one. Frames of final requests are dropped. */
export async function writeFrames(frames: ReadonlyMap<string, Frame>): Promise<void> {
  const small = [...frames].filter(([, { bytes }]) => bytes.byteLength <= MOST_BYTES);
  if (small.length === 0) return;
  await pool().query({
    name: 'write_frames',
    text: `
      insert into frames (request_id, content_type, bytes)
      select id, type, bytes from unnest($1::uuid[], $2::text[], $3::bytea[]) as f (id, type, bytes)
      where exists (select from requests r where r.id = f.id and r.status in (${LIVE_LIST}))
      on conflict (request_id) do update set content_type = excluded.content_type, bytes = excluded.bytes, updated_at = excluded.updated_at`,
    values: [
      small.map(([id]) => id),
      small.map(([, { contentType }]) => contentType),
      small.map(([, { bytes }]) => Buffer.from(bytes)),
    ],
  });
}

/** Returns the latest frame of a live request of the account; null when it has none. */
export async function readFrame(accountId: string, requestId: string): Promise<Frame | null> {
  const { rows } = await pool().query<{ content_type: string; bytes: Buffer }>(
    `select content_type, bytes from frames f join requests r on r.id = f.request_id
    where r.id = $1 and r.account_id = $2 and r.status in (${LIVE_LIST})`,
    [requestId, accountId],
  );
  return rows[0] ? { contentType: rows[0].content_type, bytes: rows[0].bytes } : null;
}

/** Returns the time of the latest frame of each request that has one. */
export async function findFrames(requestIds: readonly string[]): Promise<Map<string, Date>> {
  if (requestIds.length === 0) return new Map();
  const { rows } = await pool().query<{ id: string; at: Date }>({
    name: 'find_frames',
    text: 'select request_id as id, updated_at as at from frames where request_id = any($1)',
    values: [requestIds],
  });
  return new Map(rows.map(({ id, at }) => [id, at]));
}

/**
 * Deletes frames of requests that are final or deleted: a frame may be written just after `finish` deleted the others.
 */
export async function forgetFrames(): Promise<number> {
  const { rowCount } = await pool().query(
    `delete from frames f where not exists (select from requests r where r.id = f.request_id and r.status in (${LIVE_LIST}))`,
  );
  return rowCount ?? 0;
}
