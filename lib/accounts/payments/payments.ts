import { and, desc, eq, gte, inArray, ne, sql } from 'drizzle-orm';
import { lockAccount } from '#lib/accounts/accounts';
import { grantGems } from '#lib/accounts/ledger';
import type { Payment, PaymentState } from '#lib/accounts/payments/provider';
import { settleReturned } from '#lib/accounts/payments/settle-returned';
import { db, type Tx } from '#lib/db/client';
import { olderThan, toPage, type Page } from '#lib/db/page';
import { payments } from '#lib/db/schema';
import { now } from '#lib/db/schema/columns';
import { isUuid, newId } from '#lib/ids';
import { log } from '#lib/log';

export async function insertPayment(
  fields: Pick<Payment, 'provider' | 'purpose' | 'gems' | 'amount' | 'currency'> & {
    accountId: string;
    key?: string | undefined;
  },
  tx: Tx,
): Promise<Payment> {
  const [row] = await tx
    .insert(payments)
    .values({ id: newId(), ...fields })
    .returning();
  if (!row) throw new Error('a payment was not stored');
  return row;
}

/**
 * Records the state of a payment, and books its gems when it succeeded. Idempotent: the gems are booked once. A failed
 * payment can still succeed; a payment that succeeded stays so.
 */
export async function settlePayment(paymentId: string, state: PaymentState, outer: Tx = db()): Promise<Payment | null> {
  return await outer.transaction(async tx => {
    const known = await findPayment(paymentId, tx);
    if (!known) return null;
    // the account is locked first, as by every change of a balance
    if (known.accountId) await lockAccount(known.accountId, tx);
    const [changed] = await tx
      .update(payments)
      .set({
        status: state.status,
        error: state.status === 'failed' ? state.error : null,
        ...(state.ref !== null && { providerRef: state.ref }),
        updatedAt: now,
      })
      .where(and(eq(payments.id, paymentId), ne(payments.status, 'succeeded')))
      .returning();
    if (changed?.status === 'succeeded') await book(changed, tx);
    return changed ?? known;
  });
}

async function book({ id, accountId, gems, purpose }: Payment, tx: Tx): Promise<void> {
  if (!accountId) {
    log().error({ paymentId: id }, 'payment received for a deleted account: refund it at the provider');
    return;
  }
  const reason = purpose === 'auto_top_up' ? 'Automatic top-up' : 'Top-up';
  await grantGems(accountId, { kind: 'top_up', gems, reason, paymentId: id }, tx);
  await settleReturned(accountId, tx);
  log().info({ paymentId: id, accountId, gems }, 'payment booked');
}

export async function findPayment(id: string, tx: Tx = db()): Promise<Payment | null> {
  const [row] = isUuid(id) ? await tx.select().from(payments).where(eq(payments.id, id)) : [];
  return row ?? null;
}

/** Finds the payment that an account requested under an idempotency key. */
export async function findPaymentByKey(accountId: string, key: string, tx: Tx): Promise<Payment | null> {
  const [row] = await tx
    .select()
    .from(payments)
    .where(and(eq(payments.accountId, accountId), eq(payments.key, key)));
  return row ?? null;
}

/** Finds the payment with this id at its provider. */
export async function findPaymentByRef(ref: string): Promise<Payment | null> {
  const [row] = await db().select().from(payments).where(eq(payments.providerRef, ref));
  return row ?? null;
}

/** SQL for the start of the calendar month (UTC), by the clock of the database, which also dates payments. */
const startOfMonth = sql`date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'`;

/** Returns the gems of this month's succeeded and open payments: of all, and of the automatic ones. */
export async function gemsPaidThisMonth(accountId: string, tx: Tx = db()): Promise<{ all: number; automatic: number }> {
  const sum = sql<number>`coalesce(sum(${payments.gems}), 0)::bigint`;
  const rows = await tx
    .select({ purpose: payments.purpose, gems: sum })
    .from(payments)
    .where(
      and(
        eq(payments.accountId, accountId),
        inArray(payments.status, ['open', 'succeeded']),
        gte(payments.createdAt, startOfMonth),
      ),
    )
    .groupBy(payments.purpose);
  const of = (purpose: Payment['purpose']) => rows.find(row => row.purpose === purpose)?.gems ?? 0;
  return { all: of('top_up') + of('auto_top_up'), automatic: of('auto_top_up') };
}

/** Returns a page of the account's payments, newest first. */
export async function listPayments(
  accountId: string,
  { limit = 50, cursor }: { limit?: number; cursor?: string | undefined } = {},
): Promise<Page<Payment>> {
  const rows = await db()
    .select()
    .from(payments)
    .where(and(eq(payments.accountId, accountId), olderThan(payments.id, cursor)))
    .orderBy(desc(payments.id))
    .limit(limit + 1);
  return toPage(rows, limit, row => row.id);
}
