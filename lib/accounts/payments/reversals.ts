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
 * Records that money of a payment was returned or reinstated, and adjusts the ledger. Idempotent and independent of the
 * order of events: the latest event of a charge counts, and a won dispute stays closed.
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
    // only for the first event of a dispute: the saved card may be another one by the time of later events
    if (kind === 'dispute' && !over && !told) await stopCharging(payment.accountId, tx);
    await settleReturned(payment.accountId, tx);
    log().info({ paymentId, kind, amount, over }, 'payment reversed');
  });
}

/** SQL for the latest refunded amount. Stripe's times are whole seconds; within a second the larger amount is later. */
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
 * Returns the money of a payment that went back, at most the amount paid, and the gems that it had bought. A failed
 * refund is subtracted from the refunds recorded before it; later events of the charge already account for it.
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

/** Stops automatic charges of a card after a dispute. Notifies the holder if auto top-up was on. */
async function stopCharging(accountId: string, tx: Tx): Promise<void> {
  const { autoTopUp, email } = await getAccount(accountId, tx);
  await updateAccount(accountId, { autoTopUp: null, stripeMethod: null }, tx);
  if (!autoTopUp) return;
  const text =
    `A payment for gems was disputed at the bank, so auto top-up was switched off and its card was forgotten. ` +
    `Top up manually once to save a card, then switch it on again:\n\n${env().BASE_URL}/account/gems\n`;
  await oweMail({ kind: 'auto top-up', to: email, subject: 'Auto top-up at Pomona was switched off', text }, tx);
}
