import type { Account } from '#lib/accounts/accounts';
import type { payments } from '#lib/db/schema';

export type Payment = typeof payments.$inferSelect;

/** State of a payment at its provider. `ref` is the payment's id there. */
export type PaymentState =
  | { status: 'succeeded'; ref: string | null }
  /** `url`: page where the holder of the account completes the payment. */
  | { status: 'open'; ref: string | null; url: string | null }
  | { status: 'failed'; ref: string | null; error: string };

/** Age in ms above which a payment without a `ref` is not retried: Stripe keeps idempotency keys for only a day. */
export const FORGOTTEN_MS = 20 * 3_600_000;

/** A payment provider for gems. Calls are idempotent: repeating a call for the same payment never charges twice. */
export interface PaymentProvider {
  readonly name: Payment['provider'];
  /** Price of gems, with `amount` in the smallest unit of the currency; null when the provider moves no money. */
  price(gems: number): { amount: number; currency: string } | null;
  /** Maximum number of gems for the account in a calendar month (UTC); null when the provider sets no limit. */
  monthlyLimit(account: Account): number | null;
  /** Whether `charge` is possible, without the holder of the account being present. */
  isAutomatic(account: Account): boolean;
  /** Starts a payment that the holder of the account completes. */
  open(payment: Payment, account: Account): Promise<PaymentState>;
  /** Makes a payment without the holder of the account. Throws when the outcome is unknown. */
  charge(payment: Payment, account: Account): Promise<PaymentState>;
}
