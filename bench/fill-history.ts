import type pg from 'pg';

/** Number of requests per statement, low enough that no statement takes a minute. */
const CHUNK = 100_000;
/** One in this many requests belongs to the first account, which has the most. */
const SHARE_OF_FIRST = 10;
const GEMS = 7;
/** Returns the days that the history spans: a year, or fewer so that the first account has about one request a day. */
const daysOf = (count: number) => Math.min(365, Math.ceil(count / SHARE_OF_FIRST));

/** Requests number `$1` to `$2` of `$3` in order of time, each with its account and its number `i` in the account. */
const NUMBERED = `
  numbered as (
    select n, now() - ($3 - n) * (interval '1 day' * $9 / $3) - interval '1 hour' as at,
      case when n % ${SHARE_OF_FIRST} = 0 then 1 else 2 + (n - n / ${SHARE_OF_FIRST} - 1) % ($4 - 1) end as account,
      case when n % ${SHARE_OF_FIRST} = 0 then n / ${SHARE_OF_FIRST} else (n - n / ${SHARE_OF_FIRST} - 1) / ($4 - 1) + 1 end as i
    from generate_series($1::bigint, $2::bigint) n
  ), owners as (
    select a.id as account_id, k.id as key_id, row_number() over (order by length(a.email), a.email) as account
    from accounts a join api_keys k on k.account_id = a.id and k.name = 'bench'
  ), made as materialized (
    select n, i, account_id, key_id, date_trunc('milliseconds', at) as at,
      (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0') || 'a' ||
        substr(md5(n::text), 1, 15))::uuid as id,
      case when i % 20 = 0 then 'failed' when i % 20 = 7 then 'cancelled' else 'completed' end as status,
      -- one a day and account: what was used in so many days has as many parts, however much it is
      (array['mango', 'papaya', 'z_image', 'lemon'])[(1 + (extract(epoch from at)::bigint / 86400 + account) % 4)::int] as architecture,
      md5('media' || n)::uuid as media_id
    from numbered join owners using (account)
  )`;

const WORDS = `'lighthouse dusk orchard river market winter copper glass violin heron anchor velvet thunder meadow lantern harbour
  saffron granite feather comet'`;

const FILL = `
  with ${NUMBERED}, stored as (
    insert into requests (id, account_id, api_key_id, status, architecture, model_id, type, engine, line, prompt, body, config, seed, output,
      gems, refunded, favourite, mentions, result, error_message, created_at, updated_at, turn_at, started_at, finished_at)
    select id, account_id, key_id, status, architecture, architecture || '-v1', case architecture when 'lemon' then 'video' else 'image' end, 'preview', 'preview',
      'a ' || word[(1 + n % 20)::int] || ' by the ' || word[(1 + n / 20 % 20)::int] || ' and the ' || word[(1 + n / 400 % 20)::int] || ', number ' || n,
      $5::jsonb, $6::jsonb, n, $7::jsonb, ${GEMS}, status = 'failed', n % 50 = 0,
      case when i % 40 = 1 then jsonb_build_array(jsonb_build_object('handle', 'hero' || left(md5(account_id::text), 6) || i % 7, 'id', media_id, 'kind', 'character', 'mediaIds', '[]'::jsonb))
        else '[]' end,
      case when status = 'completed' then jsonb_build_object('mediaId', media_id, 'key', 'r/' || media_id || '.png', 'contentType', 'image/png',
        'bytes', 1200000, 'width', 1024, 'height', 1024, 'nsfw', false, 'expiresAt', to_char(at + interval '30 days', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) end,
      case when status = 'failed' then 'The generation failed. Try again.' end,
      at, at + interval '9 seconds', at, at + interval '1 second', at + interval '9 seconds'
    from made, regexp_split_to_array(${WORDS}, '\\s+') word order by n
  ), booked as (
    insert into ledger (account_id, kind, gems, balance_after, request_id, api_key_id, created_at)
    select account_id, kind, gems, $8 - ${GEMS} * (i - (i - (kind = 'charge')::int) / 20), id, key_id, at
    from made cross join lateral (values ('charge', -${GEMS}), ('refund', ${GEMS})) as booking (kind, gems)
    where kind = 'charge' or status = 'failed' order by n, kind
  ), kept as (
    insert into media (id, account_id, kind, key, content_type, bytes, width, height, request_id, created_at, expires_at, deleted_at)
    select media_id, account_id, 'result', 'r/' || media_id || '.png', 'image/png', 1200000, 1024, 1024, id, at, at + interval '30 days',
      case when at < now() - interval '30 days' then at + interval '30 days' end
    from made where status = 'completed' order by n
  )
  insert into submissions (scope, key, request_id, created_at)
  select key_id, md5('key' || n), id, at from made where at > now() - interval '30 days' order by n`;

/** Sets the balances to the sums of the ledger. */
const SETTLE = `
  update accounts set balance = booked.gems
  from (select account_id, sum(gems) as gems from ledger group by 1) booked where accounts.id = booked.account_id`;

/** Columns that the service computed for a real request, reused for all past requests. */
interface Sample {
  body: unknown;
  config: unknown;
  output: unknown;
}

/**
 * Fills a database of fresh accounts with up to a year of requests with their ledger, outputs and idempotency keys, in
 * order of time. A tenth of them belongs to the first account; the others have equal shares.
 */
export async function fillHistory(pool: pg.Pool, count: number, { body, config, output }: Sample): Promise<void> {
  const { rows } = await pool.query<{ accounts: number; opening: number }>(
    `select count(*)::int as accounts, min(balance)::float8 as opening from accounts where email like 'bench%'`,
  );
  const { accounts = 0, opening = 0 } = rows[0] ?? {};
  for (let from = 1; from <= count; from += CHUNK) {
    const to = Math.min(count, from + CHUNK - 1);
    await pool.query(FILL, [from, to, count, accounts, body, config, output, opening, daysOf(count)]);
  }
  await pool.query(SETTLE);
}
