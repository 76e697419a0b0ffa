ALTER TABLE "requests" ADD COLUMN "made_at" timestamp (3) with time zone;
--> statement-breakpoint
-- As before, but what an engine is through with takes no place of its server, as long as no more wait to be stored than it has places:
-- an engine that is faster than what stores would fill the disk.
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
        SELECT greatest(count(*) FILTER (WHERE r.made_at IS NULL), count(*) - pick.places)
        FROM requests r WHERE r.status IN ('queued', 'in_progress') AND r.worker IS NOT NULL AND r.server = pick.server
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
        worker = holder, claim = r.claim + 1, engine = pick.engine, status = 'in_progress', progress = NULL, not_before = NULL, made_at = NULL,
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
