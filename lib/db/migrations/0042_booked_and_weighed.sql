-- As before, but what is left after each is counted from those that are accepted: one that was left out before another of its account
-- stood in the books of that one, though it was never charged.
CREATE OR REPLACE FUNCTION accept_generations(asked jsonb) RETURNS TABLE (n int, request requests)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  moment timestamptz := date_trunc('milliseconds', clock_timestamp());
  -- first of all, by itself: what follows has to see what whoever held them before has done
  locked uuid[] := ARRAY(
    SELECT id FROM accounts
    WHERE id IN (SELECT (e -> 'draft' ->> 'account_id')::uuid FROM jsonb_array_elements(asked) e)
    ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
  );
BEGIN
  RETURN QUERY
  WITH drafts AS MATERIALIZED (
    SELECT (e.at - 1)::int AS n, (e.one ->> 'scope')::uuid AS scope, e.one ->> 'key' AS key, (e.one ->> 'budget')::bigint AS budget,
      (e.one ->> 'most')::int AS most, jsonb_populate_record(blank_request(), e.one -> 'draft') AS draft
    FROM jsonb_array_elements(asked) WITH ORDINALITY AS e (one, at)
  ), payers AS MATERIALIZED (
    SELECT a.id, a.balance, a.in_flight_limit,
      (SELECT count(*) FROM requests q WHERE q.account_id = a.id AND q.status IN ('queued', 'in_progress') AND q.finished_at IS NULL) AS live
    FROM accounts a WHERE a.id = ANY (locked) AND a.disabled_at IS NULL
  ), weighed AS (
    SELECT d.*, p.balance, p.in_flight_limit, p.live,
      row_number() OVER of_account AS place, sum((d.draft).gems) OVER of_account AS spent,
      row_number() OVER of_key AS place_of_key, sum((d.draft).gems) OVER of_key AS spent_by_key,
      row_number() OVER (PARTITION BY d.scope, d.key ORDER BY d.n) AS turn
    FROM drafts d JOIN payers p ON p.id = (d.draft).account_id
    WHERE NOT EXISTS (SELECT FROM submissions s WHERE s.scope = d.scope AND s.key = d.key)
    WINDOW of_account AS (PARTITION BY p.id ORDER BY d.n), of_key AS (PARTITION BY (d.draft).api_key_id ORDER BY d.n)
  ), accepted AS (
    SELECT *, row_number() OVER (PARTITION BY (draft).engine ORDER BY n) AS nth_of_engine FROM weighed
    WHERE NOT is_revoked((draft).api_key_id) AND live + place <= in_flight_limit AND spent <= balance AND (key IS NULL OR turn = 1)
      AND (budget IS NULL OR spent_this_month((draft).api_key_id) + spent_by_key <= budget)
      AND (most IS NULL OR place_of_key + (
        SELECT count(*) FROM requests q
        WHERE q.account_id = (draft).account_id AND q.api_key_id = (draft).api_key_id AND q.status IN ('queued', 'in_progress') AND q.finished_at IS NULL
      ) <= most)
  ), slots AS (
    SELECT engine, free_slots(engine) AS free FROM (SELECT DISTINCT (draft).engine AS engine FROM accepted) engines
  ), decided AS MATERIALIZED (
    SELECT a.n, a.scope, a.key,
      a.balance - sum((a.draft).gems) OVER (PARTITION BY (a.draft).account_id ORDER BY a.n) AS remaining,
      jsonb_populate_record(a.draft, jsonb_build_object(
        'status', CASE WHEN a.nth_of_engine <= s.free THEN 'in_progress' ELSE 'queued' END,
        'created_at', moment, 'updated_at', moment,
        'turn_at', moment + (a.live + a.place - 1) * interval '10 minutes'
      )) AS request
    FROM accepted a JOIN slots s ON s.engine = (a.draft).engine
  ), charged AS (
    UPDATE accounts SET balance = balance - total.gems
    FROM (SELECT (request).account_id AS id, sum((request).gems) AS gems FROM decided GROUP BY 1) total
    WHERE accounts.id = total.id
  ), booked AS (
    INSERT INTO ledger (account_id, kind, gems, balance_after, request_id, api_key_id, created_at)
    SELECT (request).account_id, 'charge', -(request).gems, remaining, (request).id, (request).api_key_id, moment
    FROM decided ORDER BY (request).account_id, n
  ), stored AS (
    INSERT INTO requests SELECT (request).* FROM decided
  ), keyed AS (
    INSERT INTO submissions (scope, key, request_id)
    SELECT scope, key, (request).id FROM decided WHERE key IS NOT NULL
  )
  SELECT d.n, d.request FROM decided d;
END $$;
--> statement-breakpoint
-- As before, but a budget that is spent is told before a balance that is short: gems can be bought for the one and not for the other.
CREATE OR REPLACE FUNCTION weigh_generation(payer accounts, spender uuid, gems int, budget bigint, most int DEFAULT NULL)
RETURNS TABLE (outcome text, available bigint, live int)
LANGUAGE plpgsql STABLE AS $$
DECLARE
  of_key int;
BEGIN
  SELECT count(*), count(*) FILTER (WHERE q.api_key_id = spender) INTO live, of_key
  FROM requests q WHERE q.account_id = payer.id AND q.status IN ('queued', 'in_progress') AND q.finished_at IS NULL;
  available := payer.balance;
  IF payer.disabled_at IS NOT NULL OR is_revoked(spender) THEN
    outcome := 'no_account';
  ELSIF live >= payer.in_flight_limit THEN
    outcome := 'too_many_requests';
  ELSIF of_key >= most THEN
    outcome := 'too_many_of_key';
  ELSE
    outcome := CASE WHEN available < gems THEN 'short_of_balance' ELSE 'accepted' END;
    IF budget IS NOT NULL AND budget - spent_this_month(spender) < gems THEN
      outcome := 'short_of_budget';
      available := budget - spent_this_month(spender);
    END IF;
  END IF;
  RETURN NEXT;
END $$;
