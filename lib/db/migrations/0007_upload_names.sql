ALTER TABLE "media" ADD COLUMN "remade_id" uuid;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "file_name" text;