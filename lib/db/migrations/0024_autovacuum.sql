-- The default waits until a fifth of a table has changed: two million rows of a table of ten. Large tables are looked after in portions
-- of about an hour's work, so that their maps of visible pages, statistics and free space keep up.
ALTER TABLE requests SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_vacuum_insert_threshold = 10000, autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 2000);
--> statement-breakpoint
ALTER TABLE ledger SET (autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_vacuum_insert_threshold = 10000, autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 2000);
--> statement-breakpoint
ALTER TABLE media SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_vacuum_insert_threshold = 10000, autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 2000);
--> statement-breakpoint
ALTER TABLE submissions SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 10000);
--> statement-breakpoint
-- Small, and written all the time: a row of each submit, a row of each consequence.
ALTER TABLE accounts SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);
--> statement-breakpoint
ALTER TABLE outbox SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
--> statement-breakpoint
-- The words of a prompt, each under its account, for the index that searches a history: what others have written costs nobody anything.
CREATE FUNCTION account_words(account uuid, prompt text) RETURNS tsvector
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
-- bound to prompt_words now: no function is found by its name where an index is built
RETURN array_to_tsvector(ARRAY(
  SELECT right(account::text, 12) || ':' || word FROM unnest(tsvector_to_array(prompt_words(prompt))) word));
--> statement-breakpoint
-- Every word of the account that these begin. Null when there is none in them.
CREATE FUNCTION account_words_beginning(account uuid, beginnings text) RETURNS tsquery
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (
  SELECT string_agg('''' || right(account::text, 12) || ':' || beginning || ''':*', ' & ')::tsquery
  FROM unnest(tsvector_to_array(prompt_words(beginnings))) beginning);
