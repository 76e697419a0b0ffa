import { sql, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { db } from '#lib/db/client';

/** Maximum number of rows for one statement, which has to end within the statement timeout of 15 s. */
export const PORTION = 5_000;

/** Repeats `step` until it handles fewer rows than `portion`, or `stopped` aborts. Returns the total number of rows. */
export async function inPortions(
  step: () => Promise<number>,
  stopped?: AbortSignal,
  portion: number = PORTION,
): Promise<number> {
  let all = 0;
  while (!stopped?.aborted) {
    const done = await step();
    all += done;
    if (done < portion) break;
  }
  return all;
}

/** SQL condition for a portion of the rows that match `which`. */
export const portionOf = (table: PgTable, which: SQL | undefined): SQL =>
  sql`ctid = any(array(select ctid from ${table} where ${which} limit ${PORTION}))`;

/** Deletes all rows that match `which`, in portions. A later call continues a deletion that was interrupted. */
export const deleteInPortions = (table: PgTable, which: SQL | undefined, stopped?: AbortSignal): Promise<number> =>
  inPortions(async () => (await db().delete(table).where(portionOf(table, which))).rowCount ?? 0, stopped);
