CREATE TABLE "webhook_deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"webhook_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"event" text NOT NULL,
	"source_id" uuid,
	"url" text NOT NULL,
	"lane" text NOT NULL,
	"body" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"tries" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', now()),
	"created_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "webhook_deliveries_once" UNIQUE("webhook_id","source_id","event")
);
--> statement-breakpoint
CREATE TABLE "notices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"data" jsonb NOT NULL,
	"seen_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"url" text,
	"description" text,
	"events" text[] NOT NULL,
	"secret_version" integer DEFAULT 1 NOT NULL,
	"previous_until" timestamp (3) with time zone,
	"failing_since" timestamp (3) with time zone,
	"disabled_at" timestamp (3) with time zone,
	"disabled_because" text,
	"created_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "low_balance" bigint DEFAULT 100;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "mutes" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "webhook" text;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_listed" ON "webhook_deliveries" USING btree ("webhook_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("lane","due_at") WHERE "webhook_deliveries"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_over" ON "webhook_deliveries" USING btree ("finished_at");--> statement-breakpoint
CREATE INDEX "notices_account" ON "notices" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "webhooks_account" ON "webhooks" USING btree ("account_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "webhooks_of_requests" ON "webhooks" USING btree ("account_id") WHERE "webhooks"."url" is null;--> statement-breakpoint
-- A charge that takes the balance below the account's mark raises a notice: once until gems come in, or for a day, since refunds that
-- go up and down around the mark are no news.
CREATE FUNCTION tell_low_balance() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  notice uuid := gen_random_uuid();
BEGIN
  IF EXISTS (
    SELECT FROM notices n
    WHERE n.account_id = NEW.id AND n.kind = 'balance.low' AND n.created_at > now() - interval '1 day'
      AND NOT EXISTS (SELECT FROM ledger l WHERE l.account_id = NEW.id AND l.kind IN ('grant', 'top_up') AND l.created_at >= n.created_at)
  ) THEN
    RETURN NULL;
  END IF;
  INSERT INTO notices (id, account_id, kind, data)
  VALUES (notice, NEW.id, 'balance.low', jsonb_build_object('balance', NEW.balance, 'threshold', NEW.low_balance));
  INSERT INTO outbox (consumer, request_id) VALUES ('notices', notice);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER low_balance AFTER UPDATE OF balance ON accounts FOR EACH ROW
WHEN (NEW.balance < NEW.low_balance AND OLD.balance >= NEW.low_balance) EXECUTE FUNCTION tell_low_balance();
