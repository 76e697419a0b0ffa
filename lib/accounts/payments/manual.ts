import type { PaymentProvider } from '#lib/accounts/payments/provider';

/** Books on the account's statement, up to its monthly limit. Holder and operator settle the statement themselves. */
export const manualProvider: PaymentProvider = {
  name: 'manual',
  price: () => null,
  monthlyLimit: ({ topUpLimit }) => topUpLimit,
  isAutomatic: ({ topUpLimit }) => topUpLimit > 0,
  open: async () => ({ status: 'succeeded', ref: null }),
  charge: async () => ({ status: 'succeeded', ref: null }),
};
