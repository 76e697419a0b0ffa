CREATE TABLE "request_mentions" (
	"account_id" uuid NOT NULL,
	"handle" text NOT NULL,
	"request_id" uuid NOT NULL,
	CONSTRAINT "request_mentions_account_id_handle_request_id_pk" PRIMARY KEY("account_id","handle","request_id")
);
--> statement-breakpoint
ALTER TABLE "request_mentions" ADD CONSTRAINT "request_mentions_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE FUNCTION note_mentions() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO request_mentions (account_id, handle, request_id)
  SELECT NEW.account_id, mention ->> 'handle', NEW.id FROM jsonb_array_elements(NEW.mentions) mention
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER requests_mention AFTER INSERT ON requests
FOR EACH ROW WHEN (NEW.mentions <> '[]') EXECUTE FUNCTION note_mentions();
