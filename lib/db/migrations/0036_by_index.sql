-- A plan that was made while the tables were new would read all of `requests` for each look-up, until statistics are taken. Whoever
-- replaces one of these functions says it again, which a test holds.
ALTER FUNCTION find_callers(bytea[], uuid[]) SET enable_seqscan = off;
--> statement-breakpoint
ALTER FUNCTION find_submissions(uuid[], text[]) SET enable_seqscan = off;
--> statement-breakpoint
ALTER FUNCTION accept_generations(jsonb) SET enable_seqscan = off;
--> statement-breakpoint
ALTER FUNCTION accept_generation(jsonb, uuid, text, bigint, boolean, int) SET enable_seqscan = off;
