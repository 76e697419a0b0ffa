import { sql } from 'drizzle-orm';
import type { Tx } from '#lib/db/client';
import { outbox } from '#lib/db/schema';

/** Told when something is owed: whoever works it off looks. */
export const OWED_CHANNEL = 'pomona_owed';

/** Owes something as soon as the transaction is through. */
export async function owe(tx: Tx, rows: (typeof outbox.$inferInsert)[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.insert(outbox).values(rows);
  await tx.execute(sql`select pg_notify(${OWED_CHANNEL}, '')`);
}
