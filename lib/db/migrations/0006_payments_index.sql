ALTER TABLE "ledger" DROP CONSTRAINT "ledger_once_per_payment";--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_payment" ON "ledger" USING btree ("payment_id") WHERE "ledger"."payment_id" is not null;--> statement-breakpoint
CREATE INDEX "requests_failed" ON "requests" USING btree ("id" DESC NULLS LAST) WHERE "requests"."status" = 'failed';