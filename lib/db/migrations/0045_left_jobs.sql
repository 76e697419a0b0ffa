ALTER TABLE "requests" ADD COLUMN "moves" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION blank_request() RETURNS requests
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT jsonb_populate_record(NULL::requests, '{
    "mentions": [], "inputs": [], "refunded": false, "line": "preview", "fetched": true, "claim": 0, "attempts": 0, "interruptions": 0,
    "moves": 0, "favourite": false, "kept": false
  }')
$$;
--> statement-breakpoint
-- As before, but a job that is left behind at another server is stopped there: that server may be back some time, and would make what
-- nobody waits for. It is counted, so that no later job of the request has its name.
CREATE OR REPLACE FUNCTION claim_generations(holder uuid, picks jsonb) RETURNS SETOF requests
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
      WITH waiting AS (
        SELECT r.id, r.server, r.engine_ref,
          -- what the preview engine makes ends with the process that it lives in
          r.server <> pick.server AND r.engine_ref IS NOT NULL AND r.engine <> 'preview' AS leaves
        -- not plainly `fetched`: the index of what waits, which seems to be empty and is full of what waited, would be read for the id
        FROM requests r
        WHERE r.id = pick.id AND r.worker IS NULL AND r.fetched IS NOT FALSE AND r.status IN ('queued', 'in_progress')
        FOR NO KEY UPDATE
      ), owed AS (
        INSERT INTO outbox (consumer, request_id, job)
        SELECT 'engine', w.id, jsonb_build_object('server', w.server, 'ref', w.engine_ref) FROM waiting w WHERE w.leaves
      )
      UPDATE requests r SET
        worker = holder, claim = r.claim + 1, engine = pick.engine, status = 'in_progress', progress = NULL, not_before = NULL,
        -- a job that was left at another server is not to be found at this one
        engine_ref = CASE WHEN w.server = pick.server THEN w.engine_ref END, server = pick.server,
        moves = CASE WHEN w.leaves THEN r.moves + 1 ELSE r.moves END,
        started_at = coalesce(r.started_at, now()), updated_at = now()
      FROM waiting w WHERE r.id = pick.id AND w.id = r.id
      RETURNING r.*;
    IF FOUND AND pick.places IS NOT NULL THEN
      UPDATE servers s SET loaded = (SELECT r.line FROM requests r WHERE r.id = pick.id), loaded_at = now()
      WHERE s.id = pick.server AND s.loaded IS DISTINCT FROM (SELECT r.line FROM requests r WHERE r.id = pick.id);
    END IF;
  END LOOP;
END $$;
