import type { UsageWire } from '#lib/contract/account-schemas';
import { pool } from '#lib/db/client';
import { lowestIdAt } from '#lib/ids';

const DAY_MS = 86_400_000;

/** Requests and gems of an account, or of one of its keys, by day (UTC) and architecture, over so many days up to today. */
export async function readUsage(
  accountId: string,
  days: number,
  { keyId, now = new Date() }: { keyId?: string | undefined; now?: Date } = {},
): Promise<UsageWire> {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  const first = new Date(today - (days - 1) * DAY_MS);
  // ids are UUIDv7: their range is that of time, and the index by account has them in order
  const { rows } = await pool().query<UsageWire['rows'][number]>(
    `select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as date, architecture, type, count(*)::int as requests,
      (count(*) filter (where status = 'failed'))::int as failed, coalesce(sum(gems) filter (where not refunded), 0)::bigint as gems
    from requests where account_id = $1 and id >= $2 and ($3::uuid is null or api_key_id = $3)
    group by 1, 2, 3 order by 1, 2`,
    [accountId, lowestIdAt(first), keyId ?? null],
  );
  const sum = (of: 'requests' | 'failed' | 'gems') => rows.reduce((total, row) => total + row[of], 0);
  return {
    days,
    from: first.toISOString().slice(0, 10),
    to: new Date(today).toISOString().slice(0, 10),
    totals: { requests: sum('requests'), failed: sum('failed'), gems: sum('gems') },
    rows,
  };
}
