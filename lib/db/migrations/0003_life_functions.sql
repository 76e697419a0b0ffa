-- requests are claimed from their own table
DROP SCHEMA IF EXISTS pgboss CASCADE;
--> statement-breakpoint
DROP FUNCTION submit_generation(jsonb, uuid, text, bigint, text);
--> statement-breakpoint
DROP FUNCTION enqueue_generation(uuid, text, uuid);
--> statement-breakpoint
-- Whether a server of the engine has a place that no request in progress takes.
CREATE OR REPLACE FUNCTION has_free_slot(wanted text) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT (SELECT count(*) FROM requests WHERE engine = wanted AND status = 'in_progress')
       < (SELECT coalesce(sum(places), 0) FROM servers s
          WHERE engine = wanted AND ok
            AND (worker IS NULL OR EXISTS (SELECT FROM workers w WHERE w.id = s.worker AND w.seen_at > now() - interval '15 seconds')))
$$;
--> statement-breakpoint
-- The way in: idempotency key, in-flight and balance decision, charge and request in one round trip, under the row lock of the
-- account, which serialises its submits. `draft` is a whole row of `requests`; state, times and turn are decided here.
-- outcome: accepted | replayed | too_many_requests | short_of_balance | short_of_budget | no_account; `available` has the gems that
-- there are where they do not suffice; `request` is the new row, or the one that was accepted first under the key, if any.
CREATE FUNCTION accept_generation(draft jsonb, scope uuid, idempotency_key text, budget bigint)
RETURNS TABLE (outcome text, available bigint, request requests)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  r requests := jsonb_populate_record(NULL::requests, draft);
  payer accounts;
  live int;
  remaining bigint;
BEGIN
  PERFORM set_config('lock_timeout', '5s', true);
  SELECT * INTO payer FROM accounts WHERE id = r.account_id FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    outcome := 'no_account';
    RETURN NEXT;
    RETURN;
  END IF;

  IF EXISTS (SELECT FROM submissions s WHERE s.scope = accept_generation.scope AND s.key = idempotency_key) THEN
    SELECT q.* INTO request FROM submissions s JOIN requests q ON q.id = s.request_id
    WHERE s.scope = accept_generation.scope AND s.key = idempotency_key;
    outcome := 'replayed';
    RETURN NEXT;
    RETURN;
  END IF;

  SELECT d.outcome, d.available, d.live INTO outcome, available, live FROM weigh_generation(payer, r.api_key_id, r.gems, budget) d;
  IF outcome <> 'accepted' THEN
    RETURN NEXT;
    RETURN;
  END IF;

  r.status := CASE WHEN has_free_slot(r.engine) THEN 'in_progress' ELSE 'queued' END;
  r.created_at := date_trunc('milliseconds', clock_timestamp());
  r.updated_at := r.created_at;
  -- each that the account has live already counts as ten minutes of waiting: nobody's many hold back somebody's first
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
-- Whether an account may have another request at this price now. Decides nothing unless its row is locked.
CREATE FUNCTION weigh_generation(payer accounts, spender uuid, gems int, budget bigint)
RETURNS TABLE (outcome text, available bigint, live int)
LANGUAGE plpgsql STABLE AS $$
BEGIN
  SELECT count(*) INTO live FROM requests q WHERE q.account_id = payer.id AND q.status IN ('queued', 'in_progress');
  available := payer.balance;
  IF live >= payer.in_flight_limit THEN
    outcome := 'too_many_requests';
  ELSIF available < gems THEN
    outcome := 'short_of_balance';
  ELSE
    outcome := 'accepted';
    IF budget IS NOT NULL THEN
      available := budget - spent_this_month(spender);
      IF available < gems THEN
        outcome := 'short_of_budget';
      END IF;
    END IF;
  END IF;
  RETURN NEXT;
END $$;
--> statement-breakpoint
-- Gives waiting requests to a worker, each for a place on a server: those that nobody took meanwhile, as long as the server has
-- places. `picks`: [{id, engine, server, places}]; `places` is null where the worker alone gives the server work.
CREATE FUNCTION claim_generations(holder uuid, picks jsonb) RETURNS SETOF requests
LANGUAGE plpgsql AS $$
DECLARE
  pick record;
BEGIN
  -- one order for all workers, so that their locks never cross
  FOR pick IN SELECT * FROM jsonb_to_recordset(picks) AS p(id uuid, engine text, server text, places int) ORDER BY server LOOP
    IF pick.places IS NOT NULL THEN
      PERFORM FROM servers s WHERE s.id = pick.server FOR UPDATE;
      CONTINUE WHEN pick.places <= (
        SELECT count(*) FROM requests r WHERE r.status IN ('queued', 'in_progress') AND r.worker IS NOT NULL AND r.server = pick.server
      );
    END IF;
    RETURN QUERY
      UPDATE requests r SET
        worker = holder, claim = r.claim + 1, engine = pick.engine, status = 'in_progress', progress = NULL, not_before = NULL,
        -- a job that was left at another server is not to be found at this one
        engine_ref = CASE WHEN r.server = pick.server THEN r.engine_ref END, server = pick.server,
        started_at = coalesce(r.started_at, now()), updated_at = now()
      WHERE r.id = pick.id AND r.worker IS NULL AND r.fetched AND r.status IN ('queued', 'in_progress')
      RETURNING r.*;
    IF FOUND AND pick.places IS NOT NULL THEN
      UPDATE servers s SET loaded = (SELECT r.line FROM requests r WHERE r.id = pick.id)
      WHERE s.id = pick.server AND s.loaded IS DISTINCT FROM (SELECT r.line FROM requests r WHERE r.id = pick.id);
    END IF;
  END LOOP;
END $$;
--> statement-breakpoint
-- The books are written once. What an operator mends by hand goes in as another row.
CREATE FUNCTION refuse_change() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of % are never changed or deleted', TG_TABLE_NAME;
END $$;
--> statement-breakpoint
CREATE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
