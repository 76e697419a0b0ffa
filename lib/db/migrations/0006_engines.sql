CREATE TABLE "documents" (
	"path" text PRIMARY KEY NOT NULL,
	"text" text NOT NULL,
	"changed_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "frames" (
	"request_id" uuid PRIMARY KEY NOT NULL,
	"content_type" text NOT NULL,
	"bytes" "bytea" NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL
);
--> statement-breakpoint
ALTER TABLE "servers" ADD COLUMN "loaded_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "servers" ADD COLUMN "lacks" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "servers" ADD COLUMN "missing" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "servers" ADD COLUMN "models" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
-- the same as before, which also remembers since when a server has a model in memory
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
      WHERE r.id = pick.id AND r.worker IS NULL AND r.fetched AND r.status IN ('queued', 'in_progress')
      RETURNING r.*;
    IF FOUND AND pick.places IS NOT NULL THEN
      UPDATE servers s SET loaded = (SELECT r.line FROM requests r WHERE r.id = pick.id), loaded_at = now()
      WHERE s.id = pick.server AND s.loaded IS DISTINCT FROM (SELECT r.line FROM requests r WHERE r.id = pick.id);
    END IF;
  END LOOP;
END $$;
