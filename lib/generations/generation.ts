import type { requests } from '#lib/db/schema';

/** One row of `requests`: in code a request of the API is a generation. */
export type Generation = typeof requests.$inferSelect;

/** Attempts that a generation gets before it fails and is refunded. */
export const MAX_ATTEMPTS = 3;
