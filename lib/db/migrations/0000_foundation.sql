CREATE TABLE "accounts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"name" text,
	"operator" boolean DEFAULT false NOT NULL,
	"balance" bigint DEFAULT 0 NOT NULL,
	"in_flight_limit" integer DEFAULT 20 NOT NULL,
	"may_generate" boolean DEFAULT true NOT NULL,
	"may_create_cast" boolean DEFAULT true NOT NULL,
	"disabled_at" timestamp (3) with time zone,
	"limited_at" timestamp (3) with time zone,
	"session_epoch" integer DEFAULT 0 NOT NULL,
	"top_up_limit" bigint DEFAULT 0 NOT NULL,
	"auto_top_up" jsonb,
	"stripe_customer" text,
	"stripe_method" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "accounts_balance_not_negative" CHECK ("accounts"."balance" >= 0)
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"name" text NOT NULL,
	"hash" "bytea" NOT NULL,
	"last_four" text NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"monthly_budget" bigint,
	"revoked_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "api_keys_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
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
CREATE TABLE "characters" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"handle" text NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"image_id" uuid NOT NULL,
	"voice_id" uuid,
	"visibility" text DEFAULT 'private' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "characters_handle_unique" UNIQUE("handle")
);
--> statement-breakpoint
CREATE TABLE "handles" (
	"handle" text PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"entity_id" uuid NOT NULL,
	CONSTRAINT "handles_entity_id_unique" UNIQUE("entity_id")
);
--> statement-breakpoint
CREATE TABLE "ledger" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"gems" bigint NOT NULL,
	"balance_after" bigint NOT NULL,
	"request_id" uuid,
	"api_key_id" uuid,
	"payment_id" uuid,
	"reason" text,
	"created_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "ledger_once_per_request" UNIQUE("request_id","kind"),
	CONSTRAINT "ledger_balance_not_negative" CHECK ("ledger"."balance_after" >= 0)
);
--> statement-breakpoint
CREATE TABLE "media" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"content_type" text NOT NULL,
	"bytes" bigint NOT NULL,
	"width" integer,
	"height" integer,
	"duration" double precision,
	"sha256" "bytea",
	"request_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "media_key_unique" UNIQUE("key")
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
CREATE TABLE "cast_references" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"handle" text NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"description" text,
	"media_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "cast_references_handle_unique" UNIQUE("handle")
);
--> statement-breakpoint
CREATE TABLE "requests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"api_key_id" uuid,
	"status" text NOT NULL,
	"architecture" text NOT NULL,
	"model_id" text NOT NULL,
	"type" text NOT NULL,
	"engine" text NOT NULL,
	"prompt" text NOT NULL,
	"body" jsonb NOT NULL,
	"config" jsonb NOT NULL,
	"seed" bigint NOT NULL,
	"output" jsonb NOT NULL,
	"mentions" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"inputs" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"gems" integer NOT NULL,
	"refunded" boolean DEFAULT false NOT NULL,
	"attempt" smallint DEFAULT 0 NOT NULL,
	"engine_ref" jsonb,
	"progress" double precision,
	"result" jsonb,
	"error_message" text,
	"failure_cause" text,
	"favourite" boolean DEFAULT false NOT NULL,
	"removed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "requests_gems_positive" CHECK ("requests"."gems" >= 1)
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
CREATE TABLE "settings" (
	"name" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL
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
CREATE TABLE "submissions" (
	"scope" uuid NOT NULL,
	"key" text NOT NULL,
	"request_id" uuid NOT NULL,
	"refusal_status" smallint,
	"refusal_body" text,
	"created_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "submissions_scope_key_pk" PRIMARY KEY("scope","key")
);
--> statement-breakpoint
CREATE TABLE "uploads" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"key" text NOT NULL,
	"content_type" text NOT NULL,
	"max_bytes" bigint NOT NULL,
	"put_expires_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ready_at" timestamp (3) with time zone,
	"bytes" bigint,
	"media_id" uuid,
	"deleted_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "uploads_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "workers" (
	"id" uuid NOT NULL,
	"engine" text NOT NULL,
	"slots" integer NOT NULL,
	"seen_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "workers_engine_id_pk" PRIMARY KEY("engine","id")
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "characters" ADD CONSTRAINT "characters_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "characters" ADD CONSTRAINT "characters_handle_handles_handle_fk" FOREIGN KEY ("handle") REFERENCES "public"."handles"("handle") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "characters" ADD CONSTRAINT "characters_image_id_media_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."media"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "characters" ADD CONSTRAINT "characters_voice_id_media_id_fk" FOREIGN KEY ("voice_id") REFERENCES "public"."media"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "handles" ADD CONSTRAINT "handles_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger" ADD CONSTRAINT "ledger_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "media" ADD CONSTRAINT "media_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cast_references" ADD CONSTRAINT "cast_references_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cast_references" ADD CONSTRAINT "cast_references_handle_handles_handle_fk" FOREIGN KEY ("handle") REFERENCES "public"."handles"("handle") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cast_references" ADD CONSTRAINT "cast_references_media_id_media_id_fk" FOREIGN KEY ("media_id") REFERENCES "public"."media"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secret_links" ADD CONSTRAINT "secret_links_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_ins" ADD CONSTRAINT "sign_ins_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_media_id_media_id_fk" FOREIGN KEY ("media_id") REFERENCES "public"."media"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_email" ON "accounts" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "api_keys_account" ON "api_keys" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "audit_log_account" ON "audit_log" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "characters_account" ON "characters" USING btree ("account_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_payment" ON "ledger" USING btree ("payment_id") WHERE "ledger"."payment_id" is not null;--> statement-breakpoint
CREATE INDEX "ledger_account" ON "ledger" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "ledger_api_key" ON "ledger" USING btree ("api_key_id","created_at") WHERE "ledger"."api_key_id" is not null;--> statement-breakpoint
CREATE INDEX "media_expiring" ON "media" USING btree ("expires_at") WHERE "media"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "media_input_content" ON "media" USING btree ("account_id","sha256") WHERE "media"."kind" = 'input' and "media"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "media_request" ON "media" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "payments_account" ON "payments" USING btree ("account_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_open_auto" ON "payments" USING btree ("account_id") WHERE "payments"."status" = 'open' and "payments"."purpose" = 'auto_top_up';--> statement-breakpoint
CREATE INDEX "cast_references_account" ON "cast_references" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "requests_account" ON "requests" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "requests_live_account" ON "requests" USING btree ("account_id") WHERE "requests"."status" in ('queued', 'in_progress');--> statement-breakpoint
CREATE INDEX "requests_live_engine" ON "requests" USING btree ("engine","status","id") WHERE "requests"."status" in ('queued', 'in_progress');--> statement-breakpoint
CREATE INDEX "requests_finished" ON "requests" USING btree ("architecture","finished_at") WHERE "requests"."status" = 'completed';--> statement-breakpoint
CREATE INDEX "requests_favourite" ON "requests" USING btree ("account_id","id") WHERE "requests"."favourite";--> statement-breakpoint
CREATE INDEX "requests_mentions" ON "requests" USING gin ("mentions" jsonb_path_ops) WHERE "requests"."mentions" <> '[]';--> statement-breakpoint
CREATE INDEX "requests_failed" ON "requests" USING btree ("id") WHERE "requests"."status" = 'failed';--> statement-breakpoint
CREATE INDEX "secret_links_kind" ON "secret_links" USING btree ("kind","id");--> statement-breakpoint
CREATE INDEX "sign_ins_account" ON "sign_ins" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "uploads_account" ON "uploads" USING btree ("account_id","id") WHERE "uploads"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "uploads_expiring" ON "uploads" USING btree ("expires_at");