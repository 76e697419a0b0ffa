import type { requests } from '#lib/db/schema';

/** One row of `requests`: in code a request of the API is a generation. */
export type Generation = typeof requests.$inferSelect;
