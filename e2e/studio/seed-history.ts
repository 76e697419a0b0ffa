import type pg from 'pg';

/**
 * Gives an account `count` finished requests of many shapes, 200 per day. Their outputs share the files of results that
 * the account has already made, so that the images exist.
 */
export async function seedHistory(pool: pg.Pool, accountId: string, count: number): Promise<void> {
  await pool.query(
    `with made as (
      select *, row_number() over (order by id) - 1 as place, count(*) over () as total
      from requests where account_id = $1 and status = 'completed'
    ), moments as (
      select n, now() - n * interval '7 minutes' as at from generate_series(1, $2::int) n
    )
    insert into requests (id, account_id, status, architecture, model_id, type, engine, prompt, body, config, seed, output,
      mentions, gems, result, favourite, created_at, updated_at, started_at, finished_at)
    select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text || $1::text), 1, 3) || 'a' ||
        substr(md5($1::text || n::text), 1, 15))::uuid,
      $1, 'completed', architecture, model_id, type, engine, prompt || ', number ' || n, body, config, seed, output,
      mentions, gems, result || jsonb_build_object('expiresAt', to_char((at + interval '80 days') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
      n % 17 = 0, at, at + interval '2 seconds', at, at + interval '2 seconds'
    from moments join made on place = n % total`,
    [accountId, count],
  );
}
