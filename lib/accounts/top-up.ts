import { lockAccount, type Account } from '#lib/accounts/accounts';
import { findPaymentByKey, gemsPaidThisMonth, insertPayment, settlePayment } from '#lib/accounts/payments/payments';
import type { Payment } from '#lib/accounts/payments/provider';
import { paymentProvider } from '#lib/accounts/payments/chosen-provider';
import { countAttempt } from '#lib/accounts/throttle';
import { db, type Tx } from '#lib/db/client';
import { AppError } from '#lib/errors';

/**
 * Buys gems for the account: booked at once, or to be paid at `url`. A key that was used before gets the payment that was made first.
 * Throws `forbidden` beyond what the operator allows, `too_many_requests`, and `invalid_request` where the provider refuses at once.
 */
export async function topUp(
  accountId: string,
  gems: number,
  key?: string,
): Promise<{ payment: Payment; url: string | null }> {
  const provider = paymentProvider();
  const findEarlier = async (tx: Tx) => (key === undefined ? null : await findPaymentByKey(accountId, key, tx));
  // before the transaction: it takes a connection of its own
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
    // a statement needs nobody else: it is booked with its payment or not at all
    if (provider.name !== 'manual') return { account, payment };
    const booked = await settlePayment(payment.id, await provider.open(payment, account), tx);
    return { account, payment: booked ?? payment };
  });
  // one of before may be over, or another provider's
  if (payment.status !== 'open' || payment.provider !== provider.name) return { payment, url: null };
  const state = await provider.open(payment, account);
  const settled = await settlePayment(payment.id, state);
  if (state.status === 'failed' && state.ref === null) throw new AppError('invalid_request', state.error);
  return { payment: settled ?? payment, url: state.status === 'open' ? state.url : null };
}

/** Gems that the provider still lets the account have this month; null for no limit. */
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
