import type { Account } from '#lib/accounts/accounts';
import type { payments } from '#lib/db/schema';

export type Payment = typeof payments.$inferSelect;

/** How a payment stands at its provider. */
export type PaymentState =
  | { status: 'succeeded'; ref: string | null }
  /** `url`: where the holder of the account goes on with it. */
  | { status: 'open'; ref: string | null; url: string | null }
  | { status: 'failed'; ref: string | null; error: string };

/** Stripe remembers for a day that it has seen a payment: older ones that it never named are not asked for again. */
export const FORGOTTEN_MS = 20 * 3_600_000;

/** Somebody who takes money for gems. A call that is repeated for the same payment never takes it twice. */
export interface PaymentProvider {
  readonly name: Payment['provider'];
  /** What so many gems cost; null when no money moves here. */
  price(gems: number): { amount: number; currency: string } | null;
  /** Most gems that the account may get in a calendar month (UTC); null for no limit of the provider's. */
  monthlyLimit(account: Account): number | null;
  /** Whether `charge` can work without the holder of the account. */
  isAutomatic(account: Account): boolean;
  /** Begins a payment that the holder of the account makes. */
  open(payment: Payment, account: Account): Promise<PaymentState>;
  /** Makes a payment without the holder of the account. Throws when it is unknown how it ended. */
  charge(payment: Payment, account: Account): Promise<PaymentState>;
}
