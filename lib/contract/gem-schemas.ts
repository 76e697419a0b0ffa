import '#lib/contract/without-eval';
import { z } from 'zod';
import { listOf, mediaType, timestamp } from '#lib/contract/schemas';
import { count, gems, uuid } from '#lib/contract/values';

// Wire shapes of balance, payments and usage under /api. Forms validate with the body schemas too.

export const autoTopUp = z.object({
  /** A submit that would leave fewer gems than this tops up first. */
  threshold: gems(),
  /** Gems bought at a time, or a multiple when the price needs more. */
  gems: gems(1),
  /** Maximum number of gems bought automatically in a calendar month (UTC). */
  monthly_limit: gems(1),
});

export const gemsOverview = z.object({
  balance: count,
  /** Maximum number of live requests. */
  in_flight_limit: count,
  /** Gems of refunded or disputed payments that had been spent already; they are deducted from the next purchase. */
  owed: count,
  auto_top_up: autoTopUp.nullable(),
  /** Gems bought automatically in this calendar month (UTC). */
  auto_topped_up: count,
  payment: z.object({
    provider: z.enum(['manual', 'stripe']),
    /** Whether the account can top up now, by an allowance from the operator or by Stripe. */
    available: z.boolean(),
    /** Whether auto top-up can pay now, by an allowance or a saved payment method. */
    automatic: z.boolean(),
    /** `manual`: gems that can still be booked this month. */
    allowance: count.nullable(),
    /** `stripe`: price in the smallest unit of the currency, such as cents. */
    price_per_gem: z.number().positive().nullable(),
    currency: z.string().nullable(),
    /** Payment method, such as `visa …4242`. */
    method: z.string().nullable(),
  }),
});

export const topUp = z.object({ gems: gems(1) });
export const payment = z.object({
  id: uuid,
  provider: z.enum(['manual', 'stripe']),
  purpose: z.enum(['top_up', 'auto_top_up']),
  status: z.enum(['open', 'succeeded', 'failed']),
  gems: count,
  /** Amount in the smallest unit of the currency; null on the statement of a `manual` deployment. */
  amount: count.nullable(),
  currency: z.string().nullable(),
  /** Amount refunded or disputed, in the same unit, and the gems that it had bought. */
  amount_returned: count,
  gems_returned: count,
  error: z.string().nullable(),
  created_at: timestamp,
});
/** `url`: page of the payment, when it is not made yet. */
export const openedTopUp = z.object({ payment, url: z.url().nullable(), balance: count });

export const usage = z.object({
  days: z.int(),
  /** First and last day (UTC), inclusive. */
  from: z.iso.date(),
  to: z.iso.date(),
  totals: z.object({ requests: count, failed: count, gems: count }),
  /** Days and architectures without requests are left out. `gems` are net of refunds. */
  rows: z.array(
    z.object({
      date: z.iso.date(),
      architecture: z.string(),
      type: mediaType,
      requests: count,
      failed: count,
      gems: count,
    }),
  ),
});

export const paymentList = listOf(payment);

export type GemsOverviewWire = z.infer<typeof gemsOverview>;
export type PaymentWire = z.infer<typeof payment>;
export type UsageWire = z.infer<typeof usage>;
