-- As before, but the month is that of the clock by which a submit is dated: one that waited for its account over the turn of a month
-- was held against the budget of both. The month of now() stays as a bound of which the planner knows how little lies behind it.
CREATE OR REPLACE FUNCTION spent_this_month(spender uuid) RETURNS bigint
LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN counted_since() <= date_trunc('month', now() AT TIME ZONE 'UTC')::date THEN (
    SELECT coalesce(sum(gems), 0)::bigint FROM usage
    WHERE account_id = (SELECT account_id FROM api_keys WHERE id = spender) AND api_key_id = spender
      AND day >= date_trunc('month', now() AT TIME ZONE 'UTC')::date
      AND day >= (SELECT date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC')::date)
  ) ELSE (
    SELECT coalesce(-sum(gems), 0)::bigint FROM ledger
    WHERE api_key_id = spender AND created_at >= date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
      AND created_at >= (SELECT date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC')
  ) END
$$;
