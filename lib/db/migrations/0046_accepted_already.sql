-- As before, but a submit that was accepted although the answer to that was lost is not decided once more: it was refused for the gems
-- that its own charge had taken, or told of itself as of another one, whose files were then taken back.
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

  -- who is patient has asked before, and may have been accepted then
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
