-- The queue entry of a live request, with the settings of its queue (pg-boss takes plain INSERTs into its job table). It has
-- the request's id, so there is never a second one; an entry that ended while its request lives starts again.
CREATE FUNCTION enqueue_generation(request_id uuid, engine text, account_id uuid) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO pgboss.job (
    id, name, data, group_id, policy, retry_limit, retry_delay, retry_backoff, retry_delay_max,
    expire_seconds, deletion_seconds, heartbeat_seconds, keep_until
  )
  SELECT
    request_id, q.name, jsonb_build_object('requestId', request_id), account_id, q.policy, q.retry_limit, q.retry_delay, q.retry_backoff,
    q.retry_delay_max, q.expire_seconds, q.deletion_seconds, q.heartbeat_seconds, now() + q.retention_seconds * interval '1s'
  FROM pgboss.queue q
  WHERE q.name = 'generate.' || engine
  ON CONFLICT (name, id) DO UPDATE
    SET state = 'created', retry_count = 0, start_after = now(), started_on = NULL, completed_on = NULL, heartbeat_on = NULL
    WHERE job.state IN ('completed', 'failed', 'cancelled');
  IF NOT FOUND AND NOT EXISTS (SELECT FROM pgboss.job j WHERE j.name = 'generate.' || engine AND j.id = request_id) THEN
    RAISE EXCEPTION 'no queue for engine %', engine;
  END IF;
END $$;
--> statement-breakpoint
-- Whether a live worker of the engine has a slot that no request in progress takes.
CREATE FUNCTION has_free_slot(wanted text) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT (SELECT count(*) FROM requests WHERE engine = wanted AND status = 'in_progress')
       < (SELECT coalesce(sum(slots), 0) FROM workers WHERE engine = wanted AND seen_at > now() - interval '15 seconds')
$$;
--> statement-breakpoint
-- Gems that an API key spent in the current calendar month (UTC), refunds taken off.
CREATE FUNCTION spent_this_month(spender uuid) RETURNS bigint
LANGUAGE sql STABLE AS $$
  SELECT coalesce(-sum(gems), 0)::bigint FROM ledger
  WHERE api_key_id = spender AND created_at >= date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
$$;
--> statement-breakpoint
-- The whole submit in one round trip: idempotency key, in-flight and balance decision, charge, request and queue entry,
-- all under the row lock of the account, which serialises its submits.
-- `draft` holds the columns of the request that the service decides; `refusal` is the body to record when gems lack;
-- null when a top-up may follow, and another attempt under the same key.
-- outcome: accepted | replayed | too_many_requests | insufficient_gems | no_account
CREATE FUNCTION submit_generation(draft jsonb, scope uuid, idempotency_key text, budget bigint, refusal text)
RETURNS TABLE (outcome text, status text, accepted_at timestamptz)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  r requests := jsonb_populate_record(NULL::requests, draft);
  payer accounts;
  remaining bigint;
BEGIN
  PERFORM set_config('lock_timeout', '5s', true);
  SELECT * INTO payer FROM accounts WHERE id = r.account_id FOR UPDATE;
  IF NOT FOUND THEN
    RETURN QUERY SELECT 'no_account', NULL, NULL::timestamptz;
    RETURN;
  END IF;

  IF EXISTS (SELECT FROM submissions s WHERE s.scope = submit_generation.scope AND s.key = idempotency_key) THEN
    RETURN QUERY SELECT 'replayed', NULL, NULL::timestamptz;
    RETURN;
  END IF;

  IF (SELECT count(*) FROM requests q WHERE q.account_id = r.account_id AND q.status IN ('queued', 'in_progress')) >= payer.in_flight_limit THEN
    RETURN QUERY SELECT 'too_many_requests', NULL, NULL::timestamptz;
    RETURN;
  END IF;

  IF payer.balance < r.gems OR (budget IS NOT NULL AND spent_this_month(r.api_key_id) + r.gems > budget) THEN
    IF idempotency_key IS NOT NULL AND refusal IS NOT NULL THEN
      INSERT INTO submissions (scope, key, request_id, refusal_status, refusal_body)
      VALUES (submit_generation.scope, idempotency_key, r.id, 402, refusal);
    END IF;
    RETURN QUERY SELECT 'insufficient_gems', NULL, NULL::timestamptz;
    RETURN;
  END IF;

  r.status := CASE WHEN has_free_slot(r.engine) THEN 'in_progress' ELSE 'queued' END;
  r.created_at := date_trunc('milliseconds', clock_timestamp());

  UPDATE accounts SET balance = balance - r.gems WHERE id = r.account_id RETURNING balance INTO remaining;
  INSERT INTO ledger (account_id, kind, gems, balance_after, request_id, api_key_id, created_at)
  VALUES (r.account_id, 'charge', -r.gems, remaining, r.id, r.api_key_id, r.created_at);
  INSERT INTO requests (
    id, account_id, api_key_id, status, architecture, model_id, type, engine, prompt, body, config, seed, output,
    mentions, inputs, gems, created_at, updated_at
  ) VALUES (
    r.id, r.account_id, r.api_key_id, r.status, r.architecture, r.model_id, r.type, r.engine, r.prompt, r.body, r.config, r.seed,
    r.output, r.mentions, r.inputs, r.gems, r.created_at, r.created_at
  );
  IF idempotency_key IS NOT NULL THEN
    INSERT INTO submissions (scope, key, request_id) VALUES (submit_generation.scope, idempotency_key, r.id);
  END IF;
  PERFORM enqueue_generation(r.id, r.engine, r.account_id);
  RETURN QUERY SELECT 'accepted', r.status, r.created_at;
END $$;
--> statement-breakpoint
-- A request is written some four times in its short live time and then never again. Vacuum by a fixed number of dead rows keeps
-- the partial indexes on live rows small however long the history is, and room in the pages keeps progress out of all indexes.
ALTER TABLE requests SET (fillfactor = 90, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
--> statement-breakpoint
-- The same for balances, which only ever change in place.
ALTER TABLE accounts SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
