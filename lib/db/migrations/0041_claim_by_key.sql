-- Words of what became final go into their index at once: what was put aside would be read by every search, and written by somebody
-- who happens to end a request when there is too much of it. What is put aside already goes in with the next vacuum.
ALTER INDEX IF EXISTS requests_account_words SET (fastupdate = off);
--> statement-breakpoint
-- What a list expects of an account that it does not tell the planner (lib/db/of-account.ts): few of all rows, also where accounts are few.
ALTER TABLE requests ALTER COLUMN account_id SET (n_distinct = 1000);
--> statement-breakpoint
ALTER TABLE ledger ALTER COLUMN account_id SET (n_distinct = 1000);
--> statement-breakpoint
ALTER TABLE uploads ALTER COLUMN account_id SET (n_distinct = 1000);
--> statement-breakpoint
ALTER TABLE recipe_runs ALTER COLUMN account_id SET (n_distinct = 1000);
--> statement-breakpoint
-- As it was, but for one word.
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
      UPDATE requests r SET
        worker = holder, claim = r.claim + 1, engine = pick.engine, status = 'in_progress', progress = NULL, not_before = NULL,
        -- a job that was left at another server is not to be found at this one
        engine_ref = CASE WHEN r.server = pick.server THEN r.engine_ref END, server = pick.server,
        started_at = coalesce(r.started_at, now()), updated_at = now()
      -- not plainly `fetched`: the index of what waits, which seems to be empty and is full of what waited, would be read for the id
      WHERE r.id = pick.id AND r.worker IS NULL AND r.fetched IS NOT FALSE AND r.status IN ('queued', 'in_progress')
      RETURNING r.*;
    IF FOUND AND pick.places IS NOT NULL THEN
      UPDATE servers s SET loaded = (SELECT r.line FROM requests r WHERE r.id = pick.id), loaded_at = now()
      WHERE s.id = pick.server AND s.loaded IS DISTINCT FROM (SELECT r.line FROM requests r WHERE r.id = pick.id);
    END IF;
  END LOOP;
END $$;
