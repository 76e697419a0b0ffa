CREATE TABLE "request_tags" (
	"account_id" uuid NOT NULL,
	"tag" text NOT NULL,
	"request_id" uuid NOT NULL,
	CONSTRAINT "request_tags_account_id_tag_request_id_pk" PRIMARY KEY("account_id","tag","request_id")
);
--> statement-breakpoint
ALTER TABLE "request_tags" ADD CONSTRAINT "request_tags_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "request_tags" ADD CONSTRAINT "request_tags_request_id_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."requests"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "request_tags_request" ON "request_tags" USING btree ("request_id");