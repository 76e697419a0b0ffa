CREATE TABLE "character_pictures" (
	"character_id" uuid NOT NULL,
	"position" smallint NOT NULL,
	"media_id" uuid NOT NULL,
	"public_media_id" uuid,
	CONSTRAINT "character_pictures_character_id_position_pk" PRIMARY KEY("character_id","position")
);
--> statement-breakpoint
ALTER TABLE "characters" ADD COLUMN "revision" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "character_pictures" ADD CONSTRAINT "character_pictures_character_id_characters_id_fk" FOREIGN KEY ("character_id") REFERENCES "public"."characters"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "character_pictures" ADD CONSTRAINT "character_pictures_media_id_media_id_fk" FOREIGN KEY ("media_id") REFERENCES "public"."media"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "character_pictures" ADD CONSTRAINT "character_pictures_public_media_id_media_id_fk" FOREIGN KEY ("public_media_id") REFERENCES "public"."media"("id") ON DELETE no action ON UPDATE no action;