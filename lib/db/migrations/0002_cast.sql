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
ALTER TABLE "characters" ADD CONSTRAINT "characters_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "characters" ADD CONSTRAINT "characters_handle_handles_handle_fk" FOREIGN KEY ("handle") REFERENCES "public"."handles"("handle") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "characters" ADD CONSTRAINT "characters_image_id_media_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."media"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "characters" ADD CONSTRAINT "characters_voice_id_media_id_fk" FOREIGN KEY ("voice_id") REFERENCES "public"."media"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "handles" ADD CONSTRAINT "handles_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cast_references" ADD CONSTRAINT "cast_references_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cast_references" ADD CONSTRAINT "cast_references_handle_handles_handle_fk" FOREIGN KEY ("handle") REFERENCES "public"."handles"("handle") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cast_references" ADD CONSTRAINT "cast_references_media_id_media_id_fk" FOREIGN KEY ("media_id") REFERENCES "public"."media"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "characters_account" ON "characters" USING btree ("account_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "cast_references_account" ON "cast_references" USING btree ("account_id","id" DESC NULLS LAST);