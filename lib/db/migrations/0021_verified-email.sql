ALTER TABLE "accounts" ADD COLUMN "email_verified_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "secret_links" ADD COLUMN "mailed" boolean DEFAULT false NOT NULL;