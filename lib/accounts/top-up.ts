import { lockAccount, type Account } from '#lib/accounts/accounts';
import { findPaymentByKey, gemsPaidThisMonth, insertPayment, settlePayment } from '#lib/accounts/payments/payments';
import type { Payment } from '#lib/accounts/payments/provider';
import { paymentProvider } from '#lib/accounts/payments/chosen-provider';
import { countAttempt } from '#lib/accounts/throttle';
import { db, type Tx } from '#lib/db/client';
import { AppError } from '#lib/errors';

/**
 * Buys gems for an account: booked immediately, or to be paid at `url`. A repeated idempotency key returns the first
 * payment. Throws `forbidden` beyond the operator's limit, `too_many_requests`, and `invalid_request` when the provider
 * refuses immediately.
 */
export async function topUp(
  accountId: string,
  gems: number,
  key?: string,
): Promise<{ payment: Payment; url: string | null }> {
  const provider = paymentProvider();
  const findEarlier = async (tx: Tx) => (key === undefined ? null : await findPaymentByKey(accountId, key, tx));
  // outside of the transaction, because counting takes a database connection of its own
  if (!(await findEarlier(db()))) await countAttempt('LIMIT_TOP_UPS', accountId);
  const { account, payment } = await db().transaction(async tx => {
    const account = await lockAccount(accountId, tx);
    const earlier = await findEarlier(tx);
    if (earlier) return { account, payment: earlier };
    const allowance = await readAllowance(account, tx);
    if (allowance !== null && gems > allowance) throw notAllowed(allowance);
    const price = provider.price(gems);
    const fields = { accountId, provider: provider.name, purpose: 'top_up', gems, key } as const;
    const payment = await insertPayment(
      { ...fields, amount: price?.amount ?? null, currency: price?.currency ?? null },
      tx,
    );
    // `manual` involves no external service, so the payment is inserted and booked in one transaction
    if (provider.name !== 'manual') return { account, payment };
    const booked = await settlePayment(payment.id, await provider.open(payment, account), tx);
    return { account, payment: booked ?? payment };
  });
  // an earlier payment may be settled already, or belong to another provider
  if (payment.status !== 'open' || payment.provider !== provider.name) return { payment, url: null };
  const state = await provider.open(payment, account);
  const settled = await settlePayment(payment.id, state);
  if (state.status === 'failed' && state.ref === null) throw new AppError('invalid_request', state.error);
  return { payment: settled ?? payment, url: state.status === 'open' ? state.url : null };
}

/** Returns how many more gems the provider allows the account this month; null for no limit. */
export async function readAllowance(account: Account, tx: Tx = db()): Promise<number | null> {
  const limit = paymentProvider().monthlyLimit(account);
  if (limit === null) return null;
  return Math.max(0, limit - (await gemsPaidThisMonth(account.id, tx)).all);
}

const notAllowed = (allowance: number) =>
  new AppError(
    'forbidden',
    allowance === 0
      ? 'The operator allows this account no more top-ups this month. Ask for gems, or for a higher limit.'
      : `The operator allows this account ${allowance} more gems this month.`,
  );
