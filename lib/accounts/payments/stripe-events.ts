import { and, eq, sql } from 'drizzle-orm';
import { Stripe } from 'stripe';
import { lockAccount } from '#lib/accounts/accounts';
import { findPayment, findPaymentByRef, settlePayment } from '#lib/accounts/payments/payments';
import type { Payment, PaymentState } from '#lib/accounts/payments/provider';
import { noteReversal, type Reversal } from '#lib/accounts/payments/reversals';
import { createStripeClient } from '#lib/accounts/payments/stripe-payments';
import { db } from '#lib/db/client';
import { accounts } from '#lib/db/schema';
import { env } from '#lib/env';
import { AppError, nothingHere } from '#lib/errors';
import { log } from '#lib/log';

/** State of a payment according to a Stripe event. */
interface News {
  paymentId: string | undefined;
  state: PaymentState;
  /** Amount paid, in the smallest unit of the currency. */
  amount?: number | null;
  method?: string | null;
}

/** Handles a webhook of Stripe, given its raw body and signature. Idempotent and independent of the order of events. */
export async function takeStripeEvent(body: string, signature: string | null): Promise<void> {
  const { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET } = env();
  if (!STRIPE_SECRET_KEY || !STRIPE_WEBHOOK_SECRET) throw nothingHere();
  const stripe = createStripeClient(STRIPE_SECRET_KEY);
  const event = verify(stripe, body, signature, STRIPE_WEBHOOK_SECRET);
  const reversal = await reversalOf(event);
  if (reversal) return await noteReversal(reversal);
  const news = newsOf(event);
  if (!news?.paymentId) return;
  const payment = await findPayment(news.paymentId);
  // another deployment may share the Stripe account
  if (!payment) return log().warn({ paymentId: news.paymentId, event: event.type }, 'event for an unknown payment');
  if (news.state.status === 'succeeded' && news.amount !== payment.amount) {
    throw new Error(`payment ${payment.id} is of ${payment.amount}, yet Stripe says ${news.amount}`);
  }
  const settled = await settlePayment(payment.id, news.state);
  if (settled && news.method) await saveMethod(stripe, settled, news.method);
}

function verify(stripe: Stripe, body: string, signature: string | null, secret: string): Stripe.Event {
  try {
    return stripe.webhooks.constructEvent(body, signature ?? '', secret);
  } catch (cause) {
    throw new AppError('invalid_request', 'The signature does not match the body.', {}, { cause });
  }
}

function newsOf({ type, data }: Stripe.Event): News | null {
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return data.object.payment_status === 'paid' ? ofSession(data.object, 'succeeded') : null;
    case 'checkout.session.async_payment_failed':
      return ofSession(data.object, 'The payment failed.');
    case 'checkout.session.expired':
      return ofSession(data.object, 'It was not paid in time.');
    case 'payment_intent.succeeded':
      return {
        paymentId: data.object.metadata.payment_id,
        state: { status: 'succeeded', ref: data.object.id },
        amount: data.object.amount_received,
        method: idOf(data.object.payment_method),
      };
    default:
      // a declined card does not end a Checkout session; for automatic charges, `charge` gets the outcome itself
      return null;
  }
}

const ofSession = (session: Stripe.Checkout.Session, outcome: string): News => {
  const ref = idOf(session.payment_intent) ?? session.id;
  return {
    paymentId: session.metadata?.payment_id,
    state: outcome === 'succeeded' ? { status: 'succeeded', ref } : { status: 'failed', ref, error: outcome },
    amount: session.amount_total,
  };
};

/** Returns the reversal that an event reports; null when it reports none, or concerns an unknown payment. */
async function reversalOf({ type, data, created }: Stripe.Event): Promise<Reversal | null> {
  const at = new Date(created * 1000);
  switch (type) {
    case 'charge.refunded': {
      const { id, amount_refunded: amount } = data.object;
      const payment = await paymentOf(data.object);
      return payment && { ref: id, paymentId: payment.id, kind: 'refund', amount, over: false, at };
    }
    case 'refund.failed': {
      const { id, amount } = data.object;
      const payment = await paymentOf(data.object);
      return payment && { ref: id, paymentId: payment.id, kind: 'failed_refund', amount, over: false, at };
    }
    case 'charge.dispute.created':
    case 'charge.dispute.closed': {
      const { id, amount, status } = data.object;
      const payment = await paymentOf(data.object);
      // a warning is an inquiry about a payment and moves no money
      if (!payment || status.startsWith('warning_')) return null;
      return { ref: id, paymentId: payment.id, kind: 'dispute', amount, over: OVER.includes(status), at };
    }
    default:
      return null;
  }
}

/** Statuses of disputes that take no money. A dispute is prevented by a refund, which has an event of its own. */
const OVER: string[] = ['won', 'prevented'] satisfies Stripe.Dispute.Status[];

async function paymentOf(object: Stripe.Charge | Stripe.Refund | Stripe.Dispute): Promise<Payment | null> {
  const ref = idOf(object.payment_intent);
  return (await findPayment(object.metadata?.payment_id ?? '')) ?? (ref ? await findPaymentByRef(ref) : null);
}

const idOf = (thing: string | { id: string } | null): string | null =>
  typeof thing === 'string' ? thing : (thing?.id ?? null);

/** Saves the method of the latest manual payment for automatic ones, unless a payment was disputed since. */
async function saveMethod(stripe: Stripe, { id: paymentId, accountId, purpose }: Payment, id: string): Promise<void> {
  // an automatic payment uses the saved method, so it has no new one
  if (!accountId || purpose !== 'top_up') return;
  const { card, type } = await stripe.paymentMethods.retrieve(id);
  const label = card ? `${card.brand} …${card.last4}` : type;
  await db().transaction(async tx => {
    await lockAccount(accountId, tx);
    await tx
      .update(accounts)
      .set({ stripeMethod: { id, label } })
      .where(and(eq(accounts.id, accountId), hasLatestMethod(paymentId)));
  });
}

/** SQL condition against late and repeated events, which must not restore a method replaced or removed meanwhile. */
const hasLatestMethod = (paymentId: string) => sql`exists (
  select from payments p where p.id = ${paymentId}
  and not exists (select from payments later where later.account_id = p.account_id and later.id > p.id
    and later.purpose = 'top_up' and later.status = 'succeeded')
  and not exists (select from reversals r join payments d on d.id = r.payment_id where d.account_id = p.account_id
    and r.kind = 'dispute' and (d.id = p.id or r.created_at > p.updated_at)))`;
