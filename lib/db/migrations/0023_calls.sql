-- The keys behind calls, their accounts, and the request of the account that each call is about. One by one, so that the plan, which
-- takes the planner five times as long as the look-up takes, is made once for a connection. Keys that are over have no row.
CREATE FUNCTION find_calls(hashes bytea[], ids uuid[])
RETURNS TABLE (n int, key api_keys, payer accounts, request requests)
LANGUAGE plpgsql STABLE AS $$
BEGIN
  FOR at IN 1..cardinality(hashes) LOOP
    RETURN QUERY
    SELECT at - 1, k, a, r
    FROM api_keys k JOIN accounts a ON a.id = k.account_id LEFT JOIN requests r ON r.id = ids[at] AND r.account_id = a.id
    WHERE (k.hash = hashes[at] OR k.previous_hash = hashes[at] AND k.previous_until > now())
      AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()) AND a.disabled_at IS NULL;
  END LOOP;
END $$;
--> statement-breakpoint
-- What was answered first under idempotency keys, looked up in the same way.
CREATE FUNCTION find_submissions(scopes uuid[], keys text[])
RETURNS TABLE (n int, refusal refusals, request requests)
LANGUAGE plpgsql STABLE AS $$
BEGIN
  FOR at IN 1..cardinality(keys) LOOP
    RETURN QUERY
    SELECT at - 1, f, r
    FROM submissions s LEFT JOIN requests r ON r.id = s.request_id LEFT JOIN refusals f ON f.request_id = s.request_id
    WHERE s.scope = scopes[at] AND s.key = keys[at];
  END LOOP;
END $$;
