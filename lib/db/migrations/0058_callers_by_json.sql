-- Who makes a call is given as `json`, which is written once: `jsonb` is taken apart first, a tenth of the time of a look-up.
-- What other processes have prepared of these functions is prepared anew by itself.
DROP FUNCTION find_callers(bytea[], uuid[]);
--> statement-breakpoint
CREATE FUNCTION find_callers(hashes bytea[], ids uuid[])
RETURNS TABLE (n int, caller json, is_previous boolean, use_is_old boolean, request requests)
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
  RETURN QUERY
  SELECT (c.at - 1)::int, json_build_object(
      'accountId', a.id, 'keyId', k.id, 'scopes', k.scopes, 'mayGenerate', a.may_generate, 'mayCreateCast', a.may_create_cast,
      'inFlightLimit', a.in_flight_limit, 'balance', a.balance, 'keyInFlightLimit', k.in_flight_limit,
      'monthlyBudget', k.monthly_budget, 'autoTopUp', a.auto_top_up IS NOT NULL
    ), p.is_previous,
    coalesce(CASE WHEN p.is_previous THEN k.previous_used_at ELSE k.last_used_at END <= now() - interval '1 minute', true), r.request
  FROM unnest(hashes, ids) WITH ORDINALITY AS c (hash, id, at)
    CROSS JOIN LATERAL (
      SELECT * FROM api_keys WHERE api_keys.hash = c.hash
      UNION ALL SELECT * FROM api_keys WHERE previous_hash = c.hash AND previous_until > now()
      LIMIT 1
    ) k
    CROSS JOIN LATERAL (SELECT k.hash <> c.hash AS is_previous) p
    JOIN accounts a ON a.id = k.account_id
    LEFT JOIN LATERAL (SELECT q AS request, q.account_id FROM requests q WHERE q.id = c.id LIMIT 1) r ON r.account_id = k.account_id
  WHERE k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()) AND a.disabled_at IS NULL;
END $$;
--> statement-breakpoint
DROP FUNCTION find_callers_and_first(bytea[], text[]);
--> statement-breakpoint
CREATE FUNCTION find_callers_and_first(hashes bytea[], keys text[])
RETURNS TABLE (n int, caller json, is_previous boolean, use_is_old boolean, refusal refusals, request requests)
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
  RETURN QUERY
  SELECT (c.at - 1)::int, json_build_object(
      'accountId', a.id, 'keyId', k.id, 'scopes', k.scopes, 'mayGenerate', a.may_generate, 'mayCreateCast', a.may_create_cast,
      'inFlightLimit', a.in_flight_limit, 'balance', a.balance, 'keyInFlightLimit', k.in_flight_limit,
      'monthlyBudget', k.monthly_budget, 'autoTopUp', a.auto_top_up IS NOT NULL
    ), p.is_previous,
    coalesce(CASE WHEN p.is_previous THEN k.previous_used_at ELSE k.last_used_at END <= now() - interval '1 minute', true),
    u.refusal, r.request
  FROM unnest(hashes, keys) WITH ORDINALITY AS c (hash, key, at)
    CROSS JOIN LATERAL (
      SELECT * FROM api_keys WHERE api_keys.hash = c.hash
      UNION ALL SELECT * FROM api_keys WHERE previous_hash = c.hash AND previous_until > now()
      LIMIT 1
    ) k
    CROSS JOIN LATERAL (SELECT k.hash <> c.hash AS is_previous) p
    JOIN accounts a ON a.id = k.account_id
    LEFT JOIN LATERAL (SELECT s.request_id FROM submissions s WHERE s.scope = k.id AND s.key = c.key LIMIT 1) f ON true
    LEFT JOIN LATERAL (SELECT q AS request FROM requests q WHERE q.id = f.request_id LIMIT 1) r ON true
    LEFT JOIN LATERAL (SELECT x AS refusal FROM refusals x WHERE x.request_id = f.request_id LIMIT 1) u ON true
  WHERE k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()) AND a.disabled_at IS NULL;
END $$;
