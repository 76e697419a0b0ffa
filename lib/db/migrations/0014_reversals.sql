CREATE TABLE "reversals" (
	"ref" text PRIMARY KEY NOT NULL,
	"payment_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"amount" bigint NOT NULL,
	"over" boolean NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL
);
--> statement-breakpoint
DROP INDEX "ledger_payment";--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "amount_returned" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "gems_returned" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "reversals" ADD CONSTRAINT "reversals_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "reversals_payment" ON "reversals" USING btree ("payment_id");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_top_up" ON "ledger" USING btree ("payment_id") WHERE "ledger"."kind" = 'top_up' and "ledger"."payment_id" is not null;--> statement-breakpoint
CREATE INDEX "ledger_reversal" ON "ledger" USING btree ("payment_id") WHERE "ledger"."kind" = 'reversal';