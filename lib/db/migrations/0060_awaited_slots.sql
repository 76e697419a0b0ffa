-- A place that a waiting request will take is not free: a request accepted between the end of one and the next claim was shown in progress
-- while it stood behind others.
CREATE FUNCTION free_slots(of_engine text, of_line text) RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
DECLARE
  free bigint := free_slots(of_engine);
BEGIN
  IF free <= 0 THEN RETURN free; END IF;
  RETURN free - (
    SELECT count(*) FROM (
      SELECT FROM requests
      WHERE line = of_line AND worker IS NULL AND fetched AND status IN ('queued', 'in_progress') AND status = 'queued'
      LIMIT free
    ) waiting
  );
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION accept_generation(draft jsonb, scope uuid, idempotency_key text, budget bigint, patient boolean, most int DEFAULT NULL)
RETURNS TABLE (outcome text, available bigint, request requests)
LANGUAGE plpgsql SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  r requests := jsonb_populate_record(blank_request(), draft);
  payer accounts;
  live int;
  remaining bigint;
BEGIN
  IF patient THEN
    PERFORM set_config('lock_timeout', '5s', true);
    SELECT * INTO payer FROM accounts WHERE id = r.account_id FOR NO KEY UPDATE;
  ELSE
    SELECT * INTO payer FROM accounts WHERE id = r.account_id FOR NO KEY UPDATE SKIP LOCKED;
  END IF;
  IF NOT FOUND THEN
    outcome := CASE WHEN patient THEN 'no_account' ELSE 'busy' END;
    RETURN NEXT;
    RETURN;
  END IF;

  -- a patient caller has asked before, and may have been accepted then
  IF patient THEN
    SELECT q.* INTO request FROM requests q WHERE q.id = r.id;
    IF FOUND THEN
      outcome := 'accepted';
      RETURN NEXT;
      RETURN;
    END IF;
  END IF;

  IF EXISTS (SELECT FROM submissions s WHERE s.scope = accept_generation.scope AND s.key = idempotency_key) THEN
    SELECT q.* INTO request FROM submissions s JOIN requests q ON q.id = s.request_id
    WHERE s.scope = accept_generation.scope AND s.key = idempotency_key;
    outcome := 'replayed';
    RETURN NEXT;
    RETURN;
  END IF;

  SELECT d.outcome, d.available, d.live INTO outcome, available, live
  FROM weigh_generation(payer, r.api_key_id, r.gems, budget, most) d;
  IF outcome <> 'accepted' THEN
    RETURN NEXT;
    RETURN;
  END IF;

  r.status := CASE WHEN free_slots(r.engine, r.line) > 0 THEN 'in_progress' ELSE 'queued' END;
  r.created_at := date_trunc('milliseconds', clock_timestamp());
  r.updated_at := r.created_at;
  -- each live request of the account counts as ten minutes of waiting, so that many of one account do not delay the first of another
  r.turn_at := r.created_at + live * interval '10 minutes';

  UPDATE accounts SET balance = balance - r.gems WHERE id = r.account_id RETURNING balance INTO remaining;
  INSERT INTO ledger (account_id, kind, gems, balance_after, request_id, api_key_id, created_at)
  VALUES (r.account_id, 'charge', -r.gems, remaining, r.id, r.api_key_id, r.created_at);
  INSERT INTO requests SELECT r.*;
  IF idempotency_key IS NOT NULL THEN
    INSERT INTO submissions (scope, key, request_id) VALUES (accept_generation.scope, idempotency_key, r.id);
  END IF;
  request := r;
  RETURN NEXT;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION accept_drafts(asked jsonb)
RETURNS TABLE (n int, status text, created_at timestamptz, updated_at timestamptz, turn_at timestamptz)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  moment timestamptz := date_trunc('milliseconds', clock_timestamp());
  -- a separate statement, so that what follows sees the changes of whoever held the locks before
  locked uuid[] := ARRAY(
    SELECT id FROM accounts
    WHERE id IN (SELECT (e -> 'draft' ->> 'account_id')::uuid FROM jsonb_array_elements(asked) e)
    ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
  );
BEGIN
  RETURN QUERY
  WITH drafts AS MATERIALIZED (
    SELECT (e.at - 1)::int AS n, (e.one ->> 'scope')::uuid AS scope, e.one ->> 'key' AS key, (e.one ->> 'budget')::bigint AS budget,
      (e.one ->> 'most')::int AS most, d.id, d.account_id, d.api_key_id, d.engine, d.line, d.gems
    FROM jsonb_array_elements(asked) WITH ORDINALITY AS e (one, at)
      CROSS JOIN LATERAL jsonb_to_record(e.one -> 'draft') AS d (id uuid, account_id uuid, api_key_id uuid, engine text, line text, gems int)
  ), payers AS MATERIALIZED (
    SELECT a.id, a.balance, a.in_flight_limit,
      (SELECT count(*) FROM requests q WHERE q.account_id = a.id AND q.status IN ('queued', 'in_progress') AND q.finished_at IS NULL) AS live
    FROM accounts a WHERE a.id = ANY (locked) AND a.disabled_at IS NULL
  ), weighed AS (
    SELECT d.*, p.balance, p.in_flight_limit, p.live,
      row_number() OVER of_account AS place, sum(d.gems) OVER of_account AS spent,
      row_number() OVER of_key AS place_of_key, sum(d.gems) OVER of_key AS spent_by_key,
      row_number() OVER (PARTITION BY d.scope, d.key ORDER BY d.n) AS turn
    FROM drafts d JOIN payers p ON p.id = d.account_id
    WHERE NOT EXISTS (SELECT FROM submissions s WHERE s.scope = d.scope AND s.key = d.key)
    WINDOW of_account AS (PARTITION BY p.id ORDER BY d.n), of_key AS (PARTITION BY d.api_key_id ORDER BY d.n)
  ), accepted AS (
    SELECT w.*, row_number() OVER (PARTITION BY w.engine ORDER BY w.n) AS nth_of_engine FROM weighed w
    WHERE NOT is_revoked(w.api_key_id) AND w.live + w.place <= w.in_flight_limit AND w.spent <= w.balance AND (w.key IS NULL OR w.turn = 1)
      AND (w.budget IS NULL OR spent_this_month(w.api_key_id) + w.spent_by_key <= w.budget)
      AND (w.most IS NULL OR w.place_of_key + (
        SELECT count(*) FROM requests q
        WHERE q.account_id = w.account_id AND q.api_key_id = w.api_key_id AND q.status IN ('queued', 'in_progress') AND q.finished_at IS NULL
      ) <= w.most)
  ), slots AS (
    SELECT engine, line, free_slots(engine, line) AS free FROM (SELECT DISTINCT engine, line FROM accepted) lines
  ), decided AS MATERIALIZED (
    SELECT a.n, a.scope, a.key, a.id, a.account_id, a.api_key_id, a.gems,
      a.balance - sum(a.gems) OVER (PARTITION BY a.account_id ORDER BY a.n) AS remaining,
      CASE WHEN a.nth_of_engine <= s.free THEN 'in_progress' ELSE 'queued' END AS status,
      moment + (a.live + a.place - 1) * interval '10 minutes' AS turn_at
    FROM accepted a JOIN slots s ON s.engine = a.engine AND s.line IS NOT DISTINCT FROM a.line
  ), charged AS (
    UPDATE accounts SET balance = balance - total.gems
    FROM (SELECT account_id, sum(gems) AS gems FROM decided GROUP BY 1) total
    WHERE accounts.id = total.account_id
  ), booked AS (
    INSERT INTO ledger (account_id, kind, gems, balance_after, request_id, api_key_id, created_at)
    SELECT account_id, 'charge', -gems, remaining, id, api_key_id, moment
    FROM decided ORDER BY account_id, n
  ), stored AS (
    INSERT INTO requests
    SELECT r.* FROM decided d CROSS JOIN LATERAL jsonb_populate_record(blank_request(), (asked -> d.n -> 'draft') || jsonb_build_object(
      'status', d.status, 'created_at', moment, 'updated_at', moment, 'turn_at', d.turn_at
    )) r
  ), keyed AS (
    INSERT INTO submissions (scope, key, request_id)
    SELECT scope, key, id FROM decided WHERE key IS NOT NULL
  )
  SELECT d.n, d.status, moment, moment, d.turn_at FROM decided d;
END $$;
