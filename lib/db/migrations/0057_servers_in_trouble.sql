ALTER TABLE "servers" ADD COLUMN "trouble" text;--> statement-breakpoint
ALTER TABLE "servers" ADD COLUMN "trouble_at" timestamp (3) with time zone;