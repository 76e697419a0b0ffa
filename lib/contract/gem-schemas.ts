import '#lib/contract/without-eval';
import { z } from 'zod';
import { listOf, mediaType, timestamp } from '#lib/contract/schemas';
import { count, gems, uuid } from '#lib/contract/values';

// Wire shapes of gems under /api: what there is, how it is paid for and what it was spent on. Bodies are also the schemas of the forms.

export const autoTopUp = z.object({
  /** A submit that would leave fewer gems than this tops up first. */
  threshold: gems(),
  /** Gems bought at a time; several times as many when one is not enough for the price. */
  gems: gems(1),
  /** Most gems bought automatically in a calendar month (UTC). */
  monthly_limit: gems(1),
});

export const gemsOverview = z.object({
  balance: count,
  /** Most requests that may be live at a time. */
  in_flight_limit: count,
  /** Gems of payments that went back and that were spent before; they are taken when gems are bought next. */
  owed: count,
  auto_top_up: autoTopUp.nullable(),
  /** Gems bought automatically in this calendar month (UTC). */
  auto_topped_up: count,
  payment: z.object({
    provider: z.enum(['manual', 'stripe']),
    /** Whether a top-up can be had now: an allowance from the operator, or Stripe. */
    available: z.boolean(),
    /** Whether auto top-up can pay now: an allowance, or a saved payment method. */
    automatic: z.boolean(),
    /** `manual`: gems still to be booked this month. */
    allowance: count.nullable(),
    /** `stripe`: in the smallest unit of the currency, such as cents. */
    price_per_gem: z.number().positive().nullable(),
    currency: z.string().nullable(),
    /** Such as `visa …4242`. */
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
  /** In the smallest unit of the currency; null on the statement of a `manual` deployment. */
  amount: count.nullable(),
  currency: z.string().nullable(),
  /** What went back by refunds and disputes, in the same unit, and the gems that it had bought. */
  amount_returned: count,
  gems_returned: count,
  error: z.string().nullable(),
  created_at: timestamp,
});
/** `url`: where the payment is made, when it is not made yet. */
export const openedTopUp = z.object({ payment, url: z.url().nullable(), balance: count });

export const usage = z.object({
  days: z.int(),
  /** First and last day (UTC), both included. */
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
