CREATE TABLE "second_steps" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"id" uuid NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"last_code" bigint,
	"recovery_edition" integer DEFAULT 0 NOT NULL,
	"recovery_left" integer[] DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sign_ins" ADD COLUMN "name" text;--> statement-breakpoint
ALTER TABLE "sign_ins" ADD COLUMN "passkey" jsonb;--> statement-breakpoint
ALTER TABLE "second_steps" ADD CONSTRAINT "second_steps_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;