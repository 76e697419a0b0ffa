import { sql } from 'drizzle-orm';
import type { Tx } from '#lib/db/client';
import { outbox } from '#lib/db/schema';

/** Channel that wakes the workers when rows are added to the outbox. */
export const OWED_CHANNEL = 'pomona_owed';

/** Adds rows to the outbox, and wakes the workers when the transaction commits. */
export async function owe(tx: Tx, rows: (typeof outbox.$inferInsert)[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.insert(outbox).values(rows);
  await tx.execute(sql`select pg_notify(${OWED_CHANNEL}, '')`);
}
