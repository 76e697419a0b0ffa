CREATE TABLE "usage" (
	"account_id" uuid NOT NULL,
	"api_key_id" uuid,
	"day" date NOT NULL,
	"architecture" text NOT NULL,
	"type" text NOT NULL,
	"requests" integer NOT NULL,
	"failed" integer NOT NULL,
	"gems" bigint NOT NULL,
	CONSTRAINT "usage_once" UNIQUE NULLS NOT DISTINCT("account_id","api_key_id","day","architecture","type")
);
--> statement-breakpoint
ALTER TABLE "usage" ADD CONSTRAINT "usage_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- A row of it is written by every submit of its account.
ALTER TABLE usage SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);
--> statement-breakpoint
CREATE FUNCTION count_usage() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO usage AS u (account_id, api_key_id, day, architecture, type, requests, failed, gems)
  SELECT account_id, api_key_id, (created_at AT TIME ZONE 'UTC')::date, architecture, type, count(*),
    count(*) FILTER (WHERE status = 'failed'), coalesce(sum(gems) FILTER (WHERE NOT refunded), 0)
  FROM made GROUP BY 1, 2, 3, 4, 5
  ON CONFLICT (account_id, api_key_id, day, architecture, type) DO UPDATE
  SET requests = u.requests + excluded.requests, failed = u.failed + excluded.failed, gems = u.gems + excluded.gems;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER requests_counted AFTER INSERT ON requests
REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION count_usage();
--> statement-breakpoint
CREATE FUNCTION count_refund() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE usage SET failed = failed + 1, gems = usage.gems - NEW.gems
  WHERE account_id = NEW.account_id AND (api_key_id = NEW.api_key_id OR api_key_id IS NULL AND NEW.api_key_id IS NULL)
    AND day = (NEW.created_at AT TIME ZONE 'UTC')::date AND architecture = NEW.architecture AND type = NEW.type;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER requests_refunded AFTER UPDATE OF refunded ON requests
FOR EACH ROW WHEN (NEW.refunded AND NOT OLD.refunded) EXECUTE FUNCTION count_refund();
--> statement-breakpoint
-- The first day (UTC) of which all is counted: of requests that were there before, a day that began with the triggers in place. Adding up
-- what was before would hold up every submit meanwhile.
DO $$
BEGIN
  EXECUTE format('CREATE FUNCTION counted_since() RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN %L::date',
    CASE WHEN EXISTS (SELECT FROM requests) THEN (clock_timestamp() AT TIME ZONE 'UTC')::date + 1 ELSE '-infinity' END);
END $$;
--> statement-breakpoint
-- Gems that an API key spent in the current calendar month (UTC), without what was refunded.
CREATE OR REPLACE FUNCTION spent_this_month(spender uuid) RETURNS bigint
LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN counted_since() <= date_trunc('month', now() AT TIME ZONE 'UTC')::date THEN (
    SELECT coalesce(sum(gems), 0)::bigint FROM usage
    WHERE account_id = (SELECT account_id FROM api_keys WHERE id = spender) AND api_key_id = spender
      AND day >= date_trunc('month', now() AT TIME ZONE 'UTC')::date
  ) ELSE (
    SELECT coalesce(-sum(gems), 0)::bigint FROM ledger
    WHERE api_key_id = spender AND created_at >= date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
  ) END
$$;
