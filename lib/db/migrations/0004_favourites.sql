ALTER TABLE "requests" ADD COLUMN "favourite" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "removed_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "requests_favourite" ON "requests" USING btree ("account_id","id" DESC NULLS LAST) WHERE "requests"."favourite";--> statement-breakpoint
CREATE INDEX "requests_mentions" ON "requests" USING gin ("mentions" jsonb_path_ops) WHERE "requests"."mentions" <> '[]';