-- workers say again that they live; refusals are kept elsewhere from now on
DELETE FROM "workers";--> statement-breakpoint
DELETE FROM "submissions" WHERE "refusal_status" IS NOT NULL;--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outbox_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"consumer" text NOT NULL,
	"request_id" uuid NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refusals" (
	"request_id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"architecture" text NOT NULL,
	"model_id" text NOT NULL,
	"type" text NOT NULL,
	"prompt" text NOT NULL,
	"status" smallint NOT NULL,
	"body" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "schedules" (
	"name" text PRIMARY KEY NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "servers" (
	"id" text PRIMARY KEY NOT NULL,
	"engine" text NOT NULL,
	"worker" uuid,
	"places" integer NOT NULL,
	"ok" boolean DEFAULT true NOT NULL,
	"loaded" text,
	"version" text,
	"detail" text,
	"checked_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ledger" DROP CONSTRAINT "ledger_account_id_accounts_id_fk";
--> statement-breakpoint
ALTER TABLE "workers" DROP CONSTRAINT "workers_engine_id_pk";--> statement-breakpoint
ALTER TABLE "workers" ADD PRIMARY KEY ("id");--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "line" text DEFAULT 'preview' NOT NULL;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "turn_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "not_before" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "fetched" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "worker" uuid;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "claim" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "attempts" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "interruptions" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "server" text;--> statement-breakpoint
ALTER TABLE "workers" ADD COLUMN "host" text NOT NULL;--> statement-breakpoint
ALTER TABLE "workers" ADD COLUMN "pid" integer NOT NULL;--> statement-breakpoint
ALTER TABLE "refusals" ADD CONSTRAINT "refusals_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "servers" ADD CONSTRAINT "servers_worker_workers_id_fk" FOREIGN KEY ("worker") REFERENCES "public"."workers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "outbox_due" ON "outbox" USING btree ("consumer","due_at");--> statement-breakpoint
CREATE INDEX "outbox_request" ON "outbox" USING btree ("request_id","consumer","id");--> statement-breakpoint
CREATE INDEX "refusals_account" ON "refusals" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "refusals_created" ON "refusals" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "servers_engine" ON "servers" USING btree ("engine");--> statement-breakpoint
CREATE INDEX "requests_waiting" ON "requests" USING btree ("line","turn_at","id") WHERE "requests"."status" in ('queued', 'in_progress') and "requests"."worker" is null and "requests"."fetched";--> statement-breakpoint
CREATE INDEX "requests_unfetched" ON "requests" USING btree ("turn_at","id") WHERE "requests"."status" in ('queued', 'in_progress') and not "requests"."fetched";--> statement-breakpoint
CREATE INDEX "requests_held" ON "requests" USING btree ("worker","server") WHERE "requests"."status" in ('queued', 'in_progress') and "requests"."worker" is not null;--> statement-breakpoint
CREATE INDEX "submissions_created" ON "submissions" USING btree ("created_at");--> statement-breakpoint
ALTER TABLE "requests" DROP COLUMN "attempt";--> statement-breakpoint
ALTER TABLE "submissions" DROP COLUMN "refusal_status";--> statement-breakpoint
ALTER TABLE "submissions" DROP COLUMN "refusal_body";--> statement-breakpoint
ALTER TABLE "workers" DROP COLUMN "engine";--> statement-breakpoint
ALTER TABLE "workers" DROP COLUMN "slots";