import { pool } from '#lib/db/client';
import { ISO } from '#lib/db/schema/columns';
import { EXPIRING_DAYS } from '#lib/media/lifetime';

/** Number of accounts that one statement handles. */
const PORTION = 1_000;

/** Raises notices of results that expire within a week, at most one a week per account. Returns their number. */
export async function raiseExpiring(now: Date, stopped?: AbortSignal): Promise<number> {
  let raised = 0;
  let after: string | null = '00000000-0000-0000-0000-000000000000';
  while (after !== null && !stopped?.aborted) {
    const portion = await raisePortion(now, after);
    raised += portion.raised;
    after = portion.last;
  }
  return raised;
}

/**
 * Handles the next accounts after the id `after`; `last` is the id of the last one, null when none is left. The lateral
 * join counts account by account: a plain join would read the media of all accounts each time.
 */
async function raisePortion(now: Date, after: string): Promise<{ raised: number; last: string | null }> {
  const { rows } = await pool().query<{ raised: number; last: string | null }>(
    `with portion as (
      select id from accounts where id > $2 order by id limit ${PORTION}
    ), untold as materialized (
      select id from portion where not exists (select from notices n where n.account_id = portion.id and n.kind = 'media.expiring'
        and n.created_at > $1::timestamptz - interval '7 days')
    ), expiring as (
      select id as account_id, count, first_at, array(
        select request_id from media where account_id = untold.id and ${EXPIRING} order by expires_at limit 100) as request_ids
      from untold cross join lateral (
        select count(*) as count, min(expires_at) as first_at from media where account_id = untold.id and ${EXPIRING}) found
      where count > 0
    ), raised as (
      insert into notices (id, account_id, kind, data, created_at)
      select gen_random_uuid(), account_id, 'media.expiring', jsonb_build_object('count', count,
        'first_expires_at', to_char(first_at at time zone 'UTC', '${ISO}'),
        'expires_before', to_char((${UNTIL}) at time zone 'UTC', '${ISO}'),
        'request_ids', to_jsonb(request_ids)), $1
      from expiring returning id
    ), owed as (
      insert into outbox (consumer, request_id) select 'notices', id from raised
    )
    select (select count(*)::int from raised) as raised, (select id from portion order by id desc limit 1) as last`,
    [now, after],
  );
  return rows[0]!;
}

const UNTIL = `$1::timestamptz + interval '${EXPIRING_DAYS} days'`;
const EXPIRING = `kind = 'result' and deleted_at is null and expires_at > $1::timestamptz and expires_at <= ${UNTIL}`;
