import { eq, sql } from 'drizzle-orm';
import { getAccount, lockAccount, updateAccount } from '#lib/accounts/accounts';
import { oweMail } from '#lib/accounts/mail';
import { findPayment } from '#lib/accounts/payments/payments';
import { settleReturned } from '#lib/accounts/payments/settle-returned';
import { db, type Tx } from '#lib/db/client';
import { payments, reversals } from '#lib/db/schema';
import { env } from '#lib/env';
import { log } from '#lib/log';

export type Reversal = Pick<typeof reversals.$inferSelect, 'ref' | 'paymentId' | 'kind' | 'amount' | 'over' | 'at'>;

/**
 * Writes down that money of a payment went back, or stands again, and brings the ledger in line with it. Safe to repeat, in any
 * order: of a charge the latest word holds, and a dispute that was won is over.
 */
export async function noteReversal(reversal: Reversal): Promise<void> {
  const { paymentId, kind, amount, over } = reversal;
  await db().transaction(async tx => {
    const known = await findPayment(paymentId, tx);
    if (known?.accountId) await lockAccount(known.accountId, tx);
    const [told] = await tx.select().from(reversals).where(eq(reversals.ref, reversal.ref));
    await upsert(reversal, tx);
    const [payment] = await tx
      .update(payments)
      .set(await returnedOf(paymentId, tx))
      .where(eq(payments.id, paymentId))
      .returning();
    if (!payment?.accountId) return;
    // the card may be another one by the time that more is said of a dispute
    if (kind === 'dispute' && !over && !told) await stopCharging(payment.accountId, tx);
    await settleReturned(payment.accountId, tx);
    log().info({ paymentId, kind, amount, over }, 'money of a payment went back');
  });
}

/** Times at Stripe are whole seconds; within one, refunds only grow. */
const LATEST_AMOUNT = sql`case when excluded.at < ${reversals.at} then ${reversals.amount}
  when excluded.at > ${reversals.at} then excluded.amount else greatest(${reversals.amount}, excluded.amount) end`;

async function upsert(reversal: Reversal, tx: Tx): Promise<void> {
  await tx
    .insert(reversals)
    .values(reversal)
    .onConflictDoUpdate({
      target: reversals.ref,
      set: {
        amount: reversal.kind === 'refund' ? LATEST_AMOUNT : sql`excluded.amount`,
        over: sql`excluded.over`,
        at: sql`greatest(${reversals.at}, excluded.at)`,
      },
      setWhere: eq(reversals.over, false),
    });
}

/**
 * All that is back of a payment, and the gems that it had bought; never more than was paid. A refund that failed counts against
 * what was refunded before; what is said of the charge later knows of it.
 */
async function returnedOf(paymentId: string, tx: Tx): Promise<{ amountReturned: number; gemsReturned: number }> {
  const { rows } = await tx.execute<{ amountReturned: number; gemsReturned: number }>(sql`
    with back as (
      select greatest(0, least(p.amount, coalesce(sum(case r.kind when 'failed_refund' then -r.amount else r.amount end)
        filter (where not r.over and (r.kind <> 'failed_refund' or not exists (
          select from reversals c where c.payment_id = p.id and c.kind = 'refund' and c.at > r.at))), 0))) as money, p.amount, p.gems
      from payments p left join reversals r on r.payment_id = p.id where p.id = ${paymentId} group by p.id
    )
    select money::bigint as "amountReturned", round(gems * money::numeric / amount)::bigint as "gemsReturned" from back`);
  if (!rows[0]) throw new Error('a payment is gone');
  return rows[0];
}

/** A card whose holder disputes a payment is not charged again by itself, of which its holder is told where it was to be. */
async function stopCharging(accountId: string, tx: Tx): Promise<void> {
  const { autoTopUp, email } = await getAccount(accountId, tx);
  await updateAccount(accountId, { autoTopUp: null, stripeMethod: null }, tx);
  if (!autoTopUp) return;
  const text =
    `A payment for gems was disputed at the bank, so auto top-up was switched off and its card was forgotten. ` +
    `Top up manually once to save a card, then switch it on again:\n\n${env().BASE_URL}/account/gems\n`;
  await oweMail({ kind: 'auto top-up', to: email, subject: 'Auto top-up at Pomona was switched off', text }, tx);
}
