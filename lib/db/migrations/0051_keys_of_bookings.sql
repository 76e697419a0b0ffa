ALTER TABLE "ledger" ADD COLUMN "key" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "key" text;--> statement-breakpoint
CREATE UNIQUE INDEX "payments_key" ON "payments" USING btree ("account_id","key") WHERE "payments"."key" is not null;