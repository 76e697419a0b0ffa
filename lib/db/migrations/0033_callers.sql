-- The callers behind keys, and the request of the account that each call is about: all of a batch in one statement, whose plan is made
-- once for a connection and never again. Whatever the tables hold, every look-up goes by its own unique index: none is a join that a
-- planner might turn round. Keys that are over have no row. (`find_calls` is what the version before asks.)
CREATE FUNCTION find_callers(hashes bytea[], ids uuid[])
RETURNS TABLE (n int, caller jsonb, is_previous boolean, use_is_old boolean, request requests)
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
  SELECT (c.at - 1)::int, jsonb_build_object(
      'accountId', a.id, 'keyId', k.id, 'scopes', k.scopes, 'mayGenerate', a.may_generate, 'mayCreateCast', a.may_create_cast,
      'inFlightLimit', a.in_flight_limit, 'keyInFlightLimit', k.in_flight_limit, 'monthlyBudget', k.monthly_budget,
      'autoTopUp', a.auto_top_up IS NOT NULL
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
