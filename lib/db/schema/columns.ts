import { sql } from 'drizzle-orm';
import { customType, timestamp } from 'drizzle-orm/pg-core';

export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
export const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
export const now = sql`date_trunc('milliseconds', now())`;
/** Format of `to_char` for stored times in JSON, as in `Date.toISOString`. */
export const ISO = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';
