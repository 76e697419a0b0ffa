import type { PaymentProvider } from '#lib/accounts/payments/provider';
import { priceOfGems } from '#lib/contract/price-of-gems';
import { env } from '#lib/env';

/** Imported on demand: Stripe's library is large, and most deployments take no card payments. */
const payments = () => import('#lib/accounts/payments/stripe-payments');

/** Creates the provider for card payments: Checkout for a top-up, which saves the method for automatic charges. */
export function createStripeProvider(secretKey: string): PaymentProvider {
  return {
    name: 'stripe',
    price: gems => ({ amount: priceOfGems(gems, env().GEM_PRICE), currency: env().GEM_CURRENCY }),
    monthlyLimit: () => null,
    isAutomatic: ({ stripeCustomer, stripeMethod }) => stripeCustomer !== null && stripeMethod !== null,
    open: async (payment, account) => (await payments()).openCheckout(secretKey, payment, account),
    charge: async (payment, account) => (await payments()).chargeSavedMethod(secretKey, payment, account),
  };
}
