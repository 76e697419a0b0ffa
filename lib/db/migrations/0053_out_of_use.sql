-- What stayed for processes of the version before, which no version since 25 November asks for.
DROP FUNCTION accept_generations(jsonb);
--> statement-breakpoint
DROP FUNCTION find_calls(bytea[], uuid[]);
--> statement-breakpoint
DROP FUNCTION words_beginning(text);
--> statement-breakpoint
DROP TABLE ended_sessions;
--> statement-breakpoint
ALTER TABLE accounts DROP COLUMN session_epoch;
