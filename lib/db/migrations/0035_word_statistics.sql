-- How common a word is decides whether it is looked for among the newest requests or looked up. The planner does not take that from an
-- index that leaves rows out, and without it a word that nobody wrote is looked for in all of a history.
CREATE STATISTICS requests_words ON account_words(account_id, prompt) FROM requests;
--> statement-breakpoint
ANALYZE requests;
