DROP INDEX "requests_finished";--> statement-breakpoint
CREATE INDEX "requests_finished" ON "requests" USING btree ("architecture","model_id","finished_at") WHERE "requests"."status" = 'completed';