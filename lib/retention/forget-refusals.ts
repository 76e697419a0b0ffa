import { sql } from 'drizzle-orm';
import { db } from '#lib/db/client';
import { inPortions, portionOf } from '#lib/db/in-portions';
import { refusals, submissions } from '#lib/db/schema';

/** Deletes refusals older than a day, with their idempotency keys, which the index finds by the same `created_at`. */
export const forgetRefusals = (_now?: Date, stopped?: AbortSignal): Promise<number> =>
  inPortions(async () => {
    const over = sql`created_at < now() - interval '1 day'`;
    const { rows } = await db().execute<{ count: number }>(sql`
      with over as (delete from ${refusals} where ${portionOf(refusals, over)} returning request_id, created_at),
        keys as (
          delete from ${submissions} using over
          where ${submissions.createdAt} = over.created_at and ${submissions.requestId} = over.request_id
        )
      select count(*)::int from over`);
    return rows[0]!.count;
  }, stopped);
