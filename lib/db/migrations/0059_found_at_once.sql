-- What is found for the calls of one moment is one value of JSON: to put it together row by row, and each row of a composite type, took the
-- database a third of the time of a look-up. `find_callers`, `find_callers_and_first` and `find_submissions` stay for processes of the
-- version before.

-- Each of these is written into the query that asks it. Their values are named, in their order, by lib/db/shown-request.ts, lib/accounts/callers.ts
-- and lib/db/first-answer.ts.
CREATE FUNCTION shown_request(r requests) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN r.id IS NOT NULL THEN json_build_array(
    r.id, r.account_id, r.status, r.architecture, r.model_id, r.type, r.engine, r.prompt, r.seed, r.output, r.gems, r.refunded, r.line,
    r.turn_at, r.fetched, r.progress, r.result, r.error_message, r.run_id, r.run_part, r.favourite, r.kept, r.removed_at, r.created_at,
    r.updated_at, r.started_at, r.finished_at
  ) END
$$;
--> statement-breakpoint
CREATE FUNCTION callers(hashes bytea[]) RETURNS TABLE (at bigint, account_id uuid, key_id uuid, caller json) LANGUAGE sql STABLE AS $$
  SELECT c.at, a.id, k.id, json_build_array(
    a.id, k.id, k.scopes, a.may_generate, a.may_create_cast, a.in_flight_limit, a.balance, k.in_flight_limit, k.monthly_budget,
    a.auto_top_up IS NOT NULL, k.is_previous, coalesce(k.used_at <= now() - interval '1 minute', true)
  )
  FROM unnest(hashes) WITH ORDINALITY AS c (hash, at)
    CROSS JOIN LATERAL (
      SELECT id, account_id, scopes, in_flight_limit, monthly_budget, revoked_at, expires_at, false AS is_previous, last_used_at AS used_at
      FROM api_keys WHERE api_keys.hash = c.hash
      UNION ALL
      SELECT id, account_id, scopes, in_flight_limit, monthly_budget, revoked_at, expires_at, true, previous_used_at
      FROM api_keys WHERE previous_hash = c.hash AND previous_until > now()
      LIMIT 1
    ) k
    JOIN accounts a ON a.id = k.account_id
  WHERE k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()) AND a.disabled_at IS NULL
$$;
--> statement-breakpoint
CREATE FUNCTION first_answer(of_scope uuid, of_key text) RETURNS TABLE (shown json, body text, status smallint) LANGUAGE sql STABLE AS $$
  SELECT r.shown, u.body, u.status
  FROM (SELECT request_id FROM submissions WHERE scope = of_scope AND key = of_key LIMIT 1) s
    LEFT JOIN LATERAL (SELECT shown_request(q) AS shown FROM requests q WHERE q.id = s.request_id LIMIT 1) r ON true
    LEFT JOIN LATERAL (SELECT x.body, x.status FROM refusals x WHERE x.request_id = s.request_id LIMIT 1) u ON true
$$;
--> statement-breakpoint
CREATE FUNCTION callers_and_requests(hashes bytea[], ids uuid[]) RETURNS json
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
  RETURN (
    SELECT json_agg(json_build_array(c.at - 1, c.caller, r.shown))
    FROM callers(hashes) c
      LEFT JOIN LATERAL (
        SELECT q.account_id, shown_request(q) AS shown FROM requests q WHERE q.id = ids[c.at] LIMIT 1
      ) r ON r.account_id = c.account_id
  );
END $$;
--> statement-breakpoint
CREATE FUNCTION callers_and_first_answers(hashes bytea[], keys text[]) RETURNS json
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
  RETURN (
    SELECT json_agg(json_build_array(c.at - 1, c.caller, f.shown, f.body, f.status))
    FROM callers(hashes) c LEFT JOIN LATERAL first_answer(c.key_id, keys[c.at]) f ON true
  );
END $$;
--> statement-breakpoint
CREATE FUNCTION first_answers(scopes uuid[], keys text[]) RETURNS json
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
  RETURN (
    SELECT json_agg(json_build_array(s.at - 1, f.shown, f.body, f.status))
    FROM unnest(scopes, keys) WITH ORDINALITY AS s (scope, key, at) CROSS JOIN LATERAL first_answer(s.scope, s.key) f
  );
END $$;
