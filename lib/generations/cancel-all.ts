import { and, eq, inArray, sql } from 'drizzle-orm';
import { db, type Tx } from '#lib/db/client';
import { requests } from '#lib/db/schema';
import { LIVE_STATUSES } from '#lib/generations/status';
import { CANCEL_CHANNEL, FINAL_CHANNEL } from '#lib/queue/queues';

/** Cancels the live requests of an account, or those that one of its keys submitted. Gives their number. */
export async function cancelAll(
  { accountId, keyId }: { accountId: string; keyId?: string },
  tx: Tx = db(),
): Promise<number> {
  const cancelled = await tx
    .update(requests)
    .set({ status: 'cancelled', progress: null, finishedAt: sql`now()`, updatedAt: sql`now()` })
    .where(
      and(
        eq(requests.accountId, accountId),
        keyId === undefined ? undefined : eq(requests.apiKeyId, keyId),
        inArray(requests.status, LIVE_STATUSES),
      ),
    )
    .returning({ id: requests.id });
  for (const { id } of cancelled) {
    await tx.execute(sql`select pg_notify(${CANCEL_CHANNEL}, ${id}), pg_notify(${FINAL_CHANNEL}, ${id})`);
  }
  return cancelled.length;
}
