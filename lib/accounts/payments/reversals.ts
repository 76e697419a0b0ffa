import { eq, sql } from 'drizzle-orm';
import { findPayment, lockAccount } from '#lib/accounts/payments/payments';
import { settleReturned } from '#lib/accounts/payments/settle-returned';
import { db, type Tx } from '#lib/db/client';
import { accounts, payments, reversals } from '#lib/db/schema';
import { log } from '#lib/log';

export type Reversal = Pick<typeof reversals.$inferSelect, 'ref' | 'paymentId' | 'kind' | 'amount' | 'over'>;

/**
 * Writes down that money of a payment went back, or stands again, and brings the ledger in line with it. Safe to repeat, in any
 * order: refunds only grow, and a dispute that was won is over.
 */
export async function noteReversal(reversal: Reversal): Promise<void> {
  const { paymentId, kind, amount, over } = reversal;
  await db().transaction(async tx => {
    const known = await findPayment(paymentId, tx);
    if (known?.accountId) await lockAccount(known.accountId, tx);
    await upsert(reversal, tx);
    const [payment] = await tx
      .update(payments)
      .set(await returnedOf(paymentId, tx))
      .where(eq(payments.id, paymentId))
      .returning();
    if (!payment?.accountId) return;
    if (kind === 'dispute' && !over) await stopCharging(payment.accountId, tx);
    await settleReturned(payment.accountId, tx);
    log().info({ paymentId, kind, amount, over }, 'money of a payment went back');
  });
}

async function upsert(reversal: Reversal, tx: Tx): Promise<void> {
  await tx
    .insert(reversals)
    .values(reversal)
    .onConflictDoUpdate({
      target: reversals.ref,
      set: {
        amount: reversal.kind === 'refund' ? sql`greatest(${reversals.amount}, excluded.amount)` : sql`excluded.amount`,
        over: sql`excluded.over`,
      },
      setWhere: eq(reversals.over, false),
    });
}

/** All that is back of a payment, and the gems that it had bought; never more than was paid. */
async function returnedOf(paymentId: string, tx: Tx): Promise<{ amountReturned: number; gemsReturned: number }> {
  const { rows } = await tx.execute<{ amountReturned: number; gemsReturned: number }>(sql`
    with back as (
      select least(p.amount, coalesce(sum(r.amount) filter (where not r.over), 0)) as money, p.amount, p.gems
      from payments p left join reversals r on r.payment_id = p.id where p.id = ${paymentId} group by p.id
    )
    select money::bigint as "amountReturned", round(gems * money::numeric / amount)::bigint as "gemsReturned" from back`);
  if (!rows[0]) throw new Error('a payment is gone');
  return rows[0];
}

/** A card whose holder disputes a payment is not charged again by itself. */
const stopCharging = async (accountId: string, tx: Tx): Promise<void> =>
  void (await tx.update(accounts).set({ autoTopUp: null, stripeMethod: null }).where(eq(accounts.id, accountId)));
