CREATE TABLE "oauth_records" (
	"model" text NOT NULL,
	"hash" "bytea" NOT NULL,
	"payload" jsonb NOT NULL,
	"key_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	"expires_at" timestamp (3) with time zone,
	CONSTRAINT "oauth_records_model_hash_pk" PRIMARY KEY("model","hash")
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "app" jsonb;--> statement-breakpoint
ALTER TABLE "oauth_records" ADD CONSTRAINT "oauth_records_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "oauth_records_key" ON "oauth_records" USING btree ("key_id");--> statement-breakpoint
CREATE INDEX "oauth_records_expiring" ON "oauth_records" USING btree ("expires_at");