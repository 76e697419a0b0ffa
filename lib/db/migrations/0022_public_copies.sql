ALTER TABLE "characters" ADD COLUMN "public_image_id" uuid;--> statement-breakpoint
ALTER TABLE "characters" ADD COLUMN "public_voice_id" uuid;--> statement-breakpoint
ALTER TABLE "characters" ADD CONSTRAINT "characters_public_image_id_media_id_fk" FOREIGN KEY ("public_image_id") REFERENCES "public"."media"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "characters" ADD CONSTRAINT "characters_public_voice_id_media_id_fk" FOREIGN KEY ("public_voice_id") REFERENCES "public"."media"("id") ON DELETE no action ON UPDATE no action;