import { batched } from '#lib/db/batched';
import { pool } from '#lib/db/client';
import type { ShownRequest } from '#lib/db/shown-request';
import { LIVE_LIST } from '#lib/status';

/** Returns a waiting request's place in its line, from 1; counts up to 1,000. Concurrent calls read each line once. */
export const queuePlace = batched('queue-places', async (asked: readonly ShownRequest[]) => {
  const { rows } = await pool().query<{ n: number; ahead: number }>({
    name: 'queue_places',
    text: `
      with asked as materialized (
        select n::int - 1 as n, line, turn_at, id
        from unnest($1::text[], $2::timestamptz[], $3::uuid[]) with ordinality as a (line, turn_at, id, n)
      ), waiting as (
        select w.line, w.turn_at, w.id from (select line, max(turn_at) as last from asked group by line) l
          cross join lateral (
            select line, turn_at, id from requests r where r.line = l.line and r.worker is null and r.fetched
              and r.status in (${LIVE_LIST}) and r.turn_at <= l.last order by r.turn_at, r.id limit 1000
          ) w
      ), placed as (
        -- who asks stands before its own row
        select n, count(*) filter (where n is null) over (partition by line order by turn_at, id, n nulls last rows unbounded preceding)
        from (select n, line, turn_at, id from asked union all select null, line, turn_at, id from waiting) everybody
      )
      select n, count::int as ahead from placed where n is not null`,
    values: [asked.map(({ line }) => line), asked.map(({ turnAt }) => turnAt), asked.map(({ id }) => id)],
  });
  const places: (number | null)[] = asked.map(() => null);
  for (const { n, ahead } of rows) places[n] = ahead + 1;
  return places;
});
