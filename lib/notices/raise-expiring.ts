import { pool } from '#lib/db/client';

/** Tells accounts of results that expire within a week, at most once a week. */
export async function raiseExpiring(now: Date): Promise<number> {
  const { rowCount } = await pool().query(
    `with expiring as (
      select account_id, count(*) as count, min(expires_at) as first_at,
        (array_agg(request_id order by expires_at))[1:100] as request_ids
      from media m
      where kind = 'result' and deleted_at is null and expires_at > $1::timestamptz and expires_at <= $1::timestamptz + interval '7 days'
        and not exists (select from notices n where n.account_id = m.account_id and n.kind = 'media.expiring'
          and n.created_at > $1::timestamptz - interval '7 days')
      group by account_id
    ), raised as (
      insert into notices (id, account_id, kind, data, created_at)
      select gen_random_uuid(), account_id, 'media.expiring', jsonb_build_object('count', count,
        'first_expires_at', to_char(first_at at time zone 'UTC', '${ISO}'),
        'expires_before', to_char(($1::timestamptz + interval '7 days') at time zone 'UTC', '${ISO}'),
        'request_ids', to_jsonb(request_ids)), $1
      from expiring returning id
    )
    insert into outbox (consumer, request_id) select 'notices', id from raised`,
    [now],
  );
  return rowCount ?? 0;
}

const ISO = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';
