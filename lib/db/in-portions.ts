import { sql, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { db } from '#lib/db/client';

/** Rows that one statement takes: it is cut off after 15 s, however many there are. */
export const PORTION = 5_000;

/** Does something to so many rows at a time, until there are fewer. Gives how many there were. */
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

/** A portion of the rows of a table that `which` names. */
export const portionOf = (table: PgTable, which: SQL | undefined): SQL =>
  sql`ctid = any(array(select ctid from ${table} where ${which} limit ${PORTION}))`;

/** Deletes the rows that `which` names, however many they are. What is broken off is gone on with by the next one. */
export const deleteInPortions = (table: PgTable, which: SQL | undefined, stopped?: AbortSignal): Promise<number> =>
  inPortions(async () => (await db().delete(table).where(portionOf(table, which))).rowCount ?? 0, stopped);
