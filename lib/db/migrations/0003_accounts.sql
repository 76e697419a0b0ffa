CREATE TABLE "audit_log" (
	"id" uuid PRIMARY KEY NOT NULL,
	"actor_id" uuid,
	"actor" text NOT NULL,
	"act" text NOT NULL,
	"subject" text NOT NULL,
	"account_id" uuid,
	"before" jsonb,
	"after" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid,
	"provider" text NOT NULL,
	"purpose" text NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"gems" bigint NOT NULL,
	"amount" bigint,
	"currency" text,
	"provider_ref" text,
	"error" text,
	"created_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "payments_provider_ref" UNIQUE("provider","provider_ref"),
	CONSTRAINT "payments_gems_positive" CHECK ("payments"."gems" >= 1)
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"points" integer DEFAULT 0 NOT NULL,
	"expire" bigint
);
--> statement-breakpoint
CREATE TABLE "secret_links" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"account_id" uuid,
	"email" text,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "secret_links_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "sign_ins" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"subject" text NOT NULL,
	"password_hash" text,
	"created_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "sign_ins_once" UNIQUE("provider","subject")
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "limited_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "session_epoch" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "top_up_limit" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "auto_top_up" jsonb;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "stripe_customer" text;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "stripe_method" jsonb;--> statement-breakpoint
ALTER TABLE "ledger" ADD COLUMN "payment_id" uuid;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "failure_cause" text;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secret_links" ADD CONSTRAINT "secret_links_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_ins" ADD CONSTRAINT "sign_ins_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_log_account" ON "audit_log" USING btree ("account_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "payments_account" ON "payments" USING btree ("account_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_open_auto" ON "payments" USING btree ("account_id") WHERE "payments"."status" = 'open' and "payments"."purpose" = 'auto_top_up';--> statement-breakpoint
CREATE INDEX "secret_links_kind" ON "secret_links" USING btree ("kind","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "sign_ins_account" ON "sign_ins" USING btree ("account_id");--> statement-breakpoint
ALTER TABLE "ledger" ADD CONSTRAINT "ledger_once_per_payment" UNIQUE("payment_id");
--> statement-breakpoint
-- As before, but a lack of gems is not recorded while `refusal` is null: a top-up may follow, and another attempt under the same key.
CREATE OR REPLACE FUNCTION submit_generation(draft jsonb, scope uuid, idempotency_key text, budget bigint, refusal text)
RETURNS TABLE (outcome text, status text, accepted_at timestamptz)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  r requests := jsonb_populate_record(NULL::requests, draft);
  payer accounts;
  remaining bigint;
BEGIN
  PERFORM set_config('lock_timeout', '5s', true);
  SELECT * INTO payer FROM accounts WHERE id = r.account_id FOR UPDATE;
  IF NOT FOUND THEN
    RETURN QUERY SELECT 'no_account', NULL, NULL::timestamptz;
    RETURN;
  END IF;

  IF EXISTS (SELECT FROM submissions s WHERE s.scope = submit_generation.scope AND s.key = idempotency_key) THEN
    RETURN QUERY SELECT 'replayed', NULL, NULL::timestamptz;
    RETURN;
  END IF;

  IF (SELECT count(*) FROM requests q WHERE q.account_id = r.account_id AND q.status IN ('queued', 'in_progress')) >= payer.in_flight_limit THEN
    RETURN QUERY SELECT 'too_many_requests', NULL, NULL::timestamptz;
    RETURN;
  END IF;

  IF payer.balance < r.gems OR (budget IS NOT NULL AND spent_this_month(r.api_key_id) + r.gems > budget) THEN
    IF idempotency_key IS NOT NULL AND refusal IS NOT NULL THEN
      INSERT INTO submissions (scope, key, request_id, refusal_status, refusal_body)
      VALUES (submit_generation.scope, idempotency_key, r.id, 402, refusal);
    END IF;
    RETURN QUERY SELECT 'insufficient_gems', NULL, NULL::timestamptz;
    RETURN;
  END IF;

  r.status := CASE WHEN has_free_slot(r.engine) THEN 'in_progress' ELSE 'queued' END;
  r.created_at := date_trunc('milliseconds', clock_timestamp());

  UPDATE accounts SET balance = balance - r.gems WHERE id = r.account_id RETURNING balance INTO remaining;
  INSERT INTO ledger (account_id, kind, gems, balance_after, request_id, api_key_id, created_at)
  VALUES (r.account_id, 'charge', -r.gems, remaining, r.id, r.api_key_id, r.created_at);
  INSERT INTO requests (
    id, account_id, api_key_id, status, architecture, model_id, type, engine, prompt, body, config, seed, output,
    mentions, inputs, gems, created_at, updated_at
  ) VALUES (
    r.id, r.account_id, r.api_key_id, r.status, r.architecture, r.model_id, r.type, r.engine, r.prompt, r.body, r.config, r.seed,
    r.output, r.mentions, r.inputs, r.gems, r.created_at, r.created_at
  );
  IF idempotency_key IS NOT NULL THEN
    INSERT INTO submissions (scope, key, request_id) VALUES (submit_generation.scope, idempotency_key, r.id);
  END IF;
  PERFORM enqueue_generation(r.id, r.engine, r.account_id);
  RETURN QUERY SELECT 'accepted', r.status, r.created_at;
END $$;
