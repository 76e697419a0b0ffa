CREATE TABLE "recipe_runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"api_key_id" uuid,
	"recipe" text NOT NULL,
	"name" text NOT NULL,
	"inputs" jsonb NOT NULL,
	"values" jsonb NOT NULL,
	"steps" jsonb NOT NULL,
	"results" jsonb NOT NULL,
	"prices" jsonb NOT NULL,
	"status" text DEFAULT 'running' NOT NULL,
	"attempt" smallint DEFAULT 1 NOT NULL,
	"error" jsonb,
	"scope" uuid NOT NULL,
	"key" text,
	"created_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL
);
--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "run_id" uuid;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "run_part" jsonb;--> statement-breakpoint
ALTER TABLE "recipe_runs" ADD CONSTRAINT "recipe_runs_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "recipe_runs_account" ON "recipe_runs" USING btree ("account_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "recipe_runs_key" ON "recipe_runs" USING btree ("scope","key") WHERE "recipe_runs"."key" is not null;