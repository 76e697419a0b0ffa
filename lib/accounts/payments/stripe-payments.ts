import { and, eq, isNull, sql } from 'drizzle-orm';
import { Stripe } from 'stripe';
import type { Account } from '#lib/accounts/accounts';
import { FORGOTTEN_MS, type Payment, type PaymentState } from '#lib/accounts/payments/provider';
import { db } from '#lib/db/client';
import { accounts } from '#lib/db/schema';
import { env } from '#lib/env';

export function createStripeClient(secretKey: string): Stripe {
  const { protocol, hostname, port } = new URL(env().STRIPE_URL);
  return new Stripe(secretKey, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    ...(port && { port }),
    maxNetworkRetries: 2,
    timeout: 15_000,
    telemetry: false,
    appInfo: { name: 'Pomona' },
  });
}

/** Opens a Checkout page, which saves the method. A payment has only one page, since two pages could both be paid. */
export async function openCheckout(secretKey: string, payment: Payment, account: Account): Promise<PaymentState> {
  const stripe = createStripeClient(secretKey);
  const { providerRef, createdAt } = payment;
  try {
    if (providerRef !== null) return pageOf(await stripe.checkout.sessions.retrieve(providerRef));
    if (Date.now() - createdAt.getTime() >= FORGOTTEN_MS)
      return { status: 'failed', ref: null, error: 'Stripe did not answer. Top up again.' };
    return pageOf(await createSession(stripe, payment, account));
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    // such as an amount below Stripe's minimum
    return { status: 'failed', ref: providerRef, error: `Stripe refused the payment: ${error.message}` };
  }
}

async function createSession(stripe: Stripe, payment: Payment, account: Account): Promise<Stripe.Checkout.Session> {
  const create = (customer: string) =>
    stripe.checkout.sessions.create(checkoutOf(payment, customer), { idempotencyKey: `${customer}-${payment.id}` });
  const customer = account.stripeCustomer ?? (await createCustomer(stripe, account));
  try {
    return await create(customer);
  } catch (error) {
    // the customer was deleted at Stripe, or belongs to a test key that was used before
    if (!isUnknown(error, 'customer')) throw error;
    return await create(await createCustomer(stripe, { ...account, stripeCustomer: customer }));
  }
}

function checkoutOf(payment: Payment, customer: string): Stripe.Checkout.SessionCreateParams {
  const { amount, currency } = moneyOf(payment);
  const metadata = { payment_id: payment.id };
  const page = `${env().BASE_URL}/account/gems?payment=${payment.id}`;
  return {
    mode: 'payment',
    customer,
    metadata,
    payment_intent_data: { setup_future_usage: 'off_session', metadata },
    line_items: [
      {
        quantity: 1,
        price_data: { currency, unit_amount: amount, product_data: { name: `${payment.gems} gems` } },
      },
    ],
    success_url: page,
    cancel_url: `${page}&cancelled`,
  };
}

/** Returns the state of a Checkout page. The webhook settles a completed page, so it counts as open here. */
const pageOf = ({ id: ref, status, url }: Stripe.Checkout.Session): PaymentState =>
  status === 'expired'
    ? { status: 'failed', ref, error: 'It was not paid in time.' }
    : { status: 'open', ref, url: status === 'open' ? url : null };

/** Creates a customer, replacing one that Stripe no longer knows, if any, together with its saved method. */
async function createCustomer(stripe: Stripe, { id, email, stripeCustomer: gone }: Account): Promise<string> {
  const customer = await stripe.customers.create(
    { email, metadata: { account_id: id } },
    { idempotencyKey: gone === null ? `customer-${id}` : `customer-${id}-${gone}` },
  );
  await db()
    .update(accounts)
    .set({ stripeCustomer: customer.id, stripeMethod: null })
    .where(
      and(eq(accounts.id, id), gone === null ? isNull(accounts.stripeCustomer) : eq(accounts.stripeCustomer, gone)),
    );
  return customer.id;
}

/** Charges the saved method without the holder being present. */
export async function chargeSavedMethod(secretKey: string, payment: Payment, account: Account): Promise<PaymentState> {
  const stripe = createStripeClient(secretKey);
  const { amount, currency } = moneyOf(payment);
  const { stripeCustomer: customer, stripeMethod: method } = account;
  if (!customer || !method) return { status: 'failed', ref: null, error: 'There is no saved payment method.' };
  try {
    if (payment.providerRef !== null) return stateOf(await stripe.paymentIntents.retrieve(payment.providerRef));
    const intent = await stripe.paymentIntents.create(
      {
        amount,
        currency,
        customer,
        payment_method: method.id,
        off_session: true,
        confirm: true,
        description: `${payment.gems} gems`,
        metadata: { payment_id: payment.id },
      },
      { idempotencyKey: payment.id },
    );
    return stateOf(intent);
  } catch (error) {
    // the saved card has changed since the first attempt, whose outcome is unknown
    if (error instanceof Stripe.errors.StripeIdempotencyError) return stateOfFirstTry(stripe, payment, customer, error);
    // such as 409, when the first attempt is still in progress at Stripe
    if (!isRefusal(error)) throw error;
    if (isUnknown(error, 'customer', 'payment_method')) {
      const kept = sql`${accounts.stripeMethod} ->> 'id' = ${method.id}`;
      await db()
        .update(accounts)
        .set({ stripeMethod: null })
        .where(and(eq(accounts.id, account.id), kept));
      return {
        status: 'failed',
        ref: null,
        error: 'Stripe no longer knows the saved card. Top up manually once.',
      };
    }
    return { status: 'failed', ref: error.payment_intent?.id ?? null, error: error.message };
  }
}

/** Age in ms from which a requested charge has either been made or never will be. */
const TRIED_MS = 120_000;

/** Returns the outcome of an earlier attempt whose response may be lost. Throws while it may still be in progress. */
async function stateOfFirstTry(
  stripe: Stripe,
  payment: Payment,
  customer: string,
  refusal: Stripe.errors.StripeIdempotencyError,
): Promise<PaymentState> {
  // an hour of tolerance, since the clocks may differ
  const created = { gte: Math.floor(payment.createdAt.getTime() / 1_000) - 3_600 };
  for await (const intent of stripe.paymentIntents.list({ customer, created, limit: 100 }))
    if (intent.metadata.payment_id === payment.id) return stateOf(intent);
  if (Date.now() - payment.createdAt.getTime() < TRIED_MS) throw refusal;
  return { status: 'failed', ref: null, error: 'The saved card was changed before it was charged.' };
}

/** Whether a card was declined or Stripe will never accept the request: no money moved. Other outcomes are unknown. */
const isRefusal = (error: unknown): error is Stripe.errors.StripeError =>
  error instanceof Stripe.errors.StripeCardError || error instanceof Stripe.errors.StripeInvalidRequestError;

/** Whether Stripe does not know the object given in one of these parameters. */
const isUnknown = (error: unknown, ...names: string[]): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError &&
  error.code === 'resource_missing' &&
  names.includes(String(error.param));

function stateOf({ id, status, last_payment_error: refused }: Stripe.PaymentIntent): PaymentState {
  if (status === 'succeeded') return { status: 'succeeded', ref: id };
  if (status === 'processing') return { status: 'open', ref: id, url: null };
  const error = refused?.message ?? 'The bank needs your confirmation. Top up manually once.';
  return { status: 'failed', ref: id, error };
}

function moneyOf({ id, amount, currency }: Payment): { amount: number; currency: string } {
  if (amount === null || currency === null) throw new Error(`payment ${id} has no price`);
  return { amount, currency };
}
