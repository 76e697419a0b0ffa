import { getAccount } from '#lib/accounts/accounts';
import { gemsPaidThisMonth } from '#lib/accounts/payments/payments';
import { paymentProvider } from '#lib/accounts/payments/chosen-provider';
import { gemsOwed } from '#lib/accounts/payments/settle-returned';
import { readAllowance } from '#lib/accounts/top-up';
import type { GemsOverviewWire, PaymentWire } from '#lib/contract/gem-schemas';
import type { AutoTopUp } from '#lib/db/schema';
import type { Payment } from '#lib/accounts/payments/provider';
import { env } from '#lib/env';

/** Returns the balance and limits of an account, its auto top-up, and how gems are paid for. */
export async function readGemsOverview(accountId: string): Promise<GemsOverviewWire> {
  const account = await getAccount(accountId);
  const provider = paymentProvider();
  const [{ automatic }, allowance, owed] = await Promise.all([
    gemsPaidThisMonth(accountId),
    readAllowance(account),
    gemsOwed(accountId),
  ]);
  const money = provider.price(1);
  return {
    balance: account.balance,
    in_flight_limit: account.inFlightLimit,
    owed,
    auto_top_up: account.autoTopUp && autoTopUpToWire(account.autoTopUp),
    auto_topped_up: automatic,
    payment: {
      provider: provider.name,
      available: allowance === null || allowance > 0,
      automatic: provider.isAutomatic(account),
      allowance,
      price_per_gem: money && env().GEM_PRICE,
      currency: money && money.currency,
      method: account.stripeMethod?.label ?? null,
    },
  };
}

export const autoTopUpToWire = ({ threshold, gems, monthlyLimit }: AutoTopUp) => ({
  threshold,
  gems,
  monthly_limit: monthlyLimit,
});

export const paymentToWire = (payment: Payment): PaymentWire => ({
  id: payment.id,
  provider: payment.provider,
  purpose: payment.purpose,
  status: payment.status,
  gems: payment.gems,
  amount: payment.amount,
  currency: payment.currency,
  amount_returned: payment.amountReturned,
  gems_returned: payment.gemsReturned,
  error: payment.error,
  created_at: payment.createdAt.toISOString(),
});
