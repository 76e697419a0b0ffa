CREATE TABLE "process_figures" (
	"process" uuid PRIMARY KEY NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"figures" jsonb NOT NULL
);
