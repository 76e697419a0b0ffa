import type { requests } from '#lib/db/schema';

/** A row of `requests`. The code calls a request of the API a generation. */
export type Generation = typeof requests.$inferSelect;
