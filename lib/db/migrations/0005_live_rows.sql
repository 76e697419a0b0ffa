-- A request is written some four times in its short live time and then never again. Vacuum by a fixed number of dead rows keeps
-- the partial indexes on live rows small however long the history is, and room in the pages keeps progress out of all indexes.
ALTER TABLE requests SET (fillfactor = 90, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
--> statement-breakpoint
-- The same for balances, which only ever change in place.
ALTER TABLE accounts SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
--> statement-breakpoint
-- Decision 7: whether a live worker of the engine has a slot that no request in progress takes.
CREATE OR REPLACE FUNCTION has_free_slot(wanted text) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT (SELECT count(*) FROM requests WHERE engine = wanted AND status = 'in_progress')
       < (SELECT coalesce(sum(slots), 0) FROM workers WHERE engine = wanted AND seen_at > now() - interval '15 seconds')
$$;
