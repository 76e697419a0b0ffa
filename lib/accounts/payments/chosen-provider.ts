import { manualProvider } from '#lib/accounts/payments/manual';
import type { PaymentProvider } from '#lib/accounts/payments/provider';
import { createStripeProvider } from '#lib/accounts/payments/stripe';
import { env } from '#lib/env';
import { singleton } from '#lib/singleton';

/** Returns the payment provider that this deployment is configured for. */
export const paymentProvider = (): PaymentProvider =>
  singleton('accounts.payment-provider', () => {
    const { STRIPE_SECRET_KEY } = env();
    return STRIPE_SECRET_KEY ? createStripeProvider(STRIPE_SECRET_KEY) : manualProvider;
  });
