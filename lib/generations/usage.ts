import type { UsageWire } from '#lib/contract/gem-schemas';
import { pool } from '#lib/db/client';
import { lowestIdAt } from '#lib/ids';
import { sum } from '#lib/sum';

const DAY_MS = 86_400_000;

/** Returns the usage of an account or one of its keys by day (UTC), architecture and type, for `days` up to today. */
export async function readUsage(
  accountId: string,
  days: number,
  { keyId, now = new Date() }: { keyId?: string | undefined; now?: Date } = {},
): Promise<UsageWire> {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  const first = new Date(today - (days - 1) * DAY_MS);
  const { rows } = await pool().query<UsageWire['rows'][number]>(
    `with used as (
      select api_key_id, day, architecture, type, requests, failed, gems from usage
      where account_id = $1 and day >= $2 and day >= counted_since()
      union all
      -- ids are UUIDv7: their range is that of time, and the index by account has them in order
      select api_key_id, (created_at at time zone 'UTC')::date, architecture, type, 1, (status = 'failed')::int, gems * (not refunded)::int
      from requests
      where $2 < counted_since() and account_id = $1 and id >= $3 and (created_at at time zone 'UTC')::date < counted_since()
    )
    select to_char(day, 'YYYY-MM-DD') as date, architecture, type, sum(requests)::int as requests, sum(failed)::int as failed,
      sum(gems)::bigint as gems
    from used where $4::uuid is null or api_key_id = $4
    group by day, architecture, type order by day, architecture`,
    [accountId, dayOf(first), lowestIdAt(first), keyId ?? null],
  );
  const total = (of: 'requests' | 'failed' | 'gems') => sum(rows.map(row => row[of]));
  return {
    days,
    from: dayOf(first),
    to: dayOf(new Date(today)),
    totals: { requests: total('requests'), failed: total('failed'), gems: total('gems') },
    rows,
  };
}

const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);
