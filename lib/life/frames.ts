import { pool } from '#lib/db/client';
import { LIVE_LIST } from '#lib/status';

/** What a picture in the making looks like so far. */
export interface Frame {
  contentType: string;
  bytes: Uint8Array;
}

/** A preview is small; what is not, is none. */
const MOST_BYTES = 400_000;

/** Keeps the last frame of each of these requests, in the place of the one before; of those that are final, none. */
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

/** The last frame of a live request of the account; null when there is none. */
export async function readFrame(accountId: string, requestId: string): Promise<Frame | null> {
  const { rows } = await pool().query<{ content_type: string; bytes: Buffer }>(
    `select content_type, bytes from frames f join requests r on r.id = f.request_id
    where r.id = $1 and r.account_id = $2 and r.status in (${LIVE_LIST})`,
    [requestId, accountId],
  );
  return rows[0] ? { contentType: rows[0].content_type, bytes: rows[0].bytes } : null;
}

/** When the last frame of each of these requests came, for those that have one. */
export async function findFrames(requestIds: readonly string[]): Promise<Map<string, Date>> {
  if (requestIds.length === 0) return new Map();
  const { rows } = await pool().query<{ id: string; at: Date }>({
    name: 'find_frames',
    text: 'select request_id as id, updated_at as at from frames where request_id = any($1)',
    values: [requestIds],
  });
  return new Map(rows.map(({ id, at }) => [id, at]));
}

/** Forgets frames of what is final or gone: one that was on its way while its request ended came after the end took its frames away. */
export async function forgetFrames(): Promise<number> {
  const { rowCount } = await pool().query(
    `delete from frames f where not exists (select from requests r where r.id = f.request_id and r.status in (${LIVE_LIST}))`,
  );
  return rowCount ?? 0;
}
