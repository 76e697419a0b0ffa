import type { Client } from 'pg';
import { afterAll, beforeEach, expect } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { setAutoTopUp } from '#lib/accounts/auto-top-up';
import { bookGems } from '#lib/accounts/ledger';
import { takeStripeEvent } from '#lib/accounts/payments/stripe-events';
import { createStripeClient } from '#lib/accounts/payments/stripe-payments';
import { FakeStripe } from '#lib/accounts/payments/stripe-test-server';
import { topUp } from '#lib/accounts/top-up';
import { db, pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { newId } from '#lib/ids';
import { begin } from '#lib/life/test-requests';

const SECRET = 'whsec_test';

/** Sets a test file up with a database of its own and a fake Stripe. Must be called first. */
export async function setStripeStage(): Promise<FakeStripe> {
  await useOwnDatabase();
  const stripe = new FakeStripe();
  Object.assign(process.env, {
    STRIPE_SECRET_KEY: 'sk_test_pomona',
    STRIPE_WEBHOOK_SECRET: SECRET,
    STRIPE_URL: await stripe.start(),
    GEM_PRICE: '1.5',
    SMTP_URL: 'smtp://localhost',
    LOG_LEVEL: 'silent',
  });
  afterAll(() => stripe.stop());
  beforeEach(() => {
    stripe.mood = 'pays';
    stripe.calls.length = 0;
    stripe.sessions.clear();
  });
  return stripe;
}

export const openAccount = (gems = 0) => createAccount({ email: `${newId()}@example.com`, gems });

/** Delivers a signed webhook as Stripe does; `created` is in seconds. */
export async function announce(
  type: string,
  object: Record<string, unknown>,
  { secret = SECRET, created = 1_790_000_000 } = {},
): Promise<void> {
  const body = JSON.stringify({ id: `evt_${newId()}`, object: 'event', created, type, data: { object } });
  const signature = createStripeClient('sk').webhooks.generateTestHeaderString({ payload: body, secret });
  await takeStripeEvent(body, signature);
}

export const paidIntent = (paymentId: string, amount: number, method = 'pm_1') => ({
  id: `pi_${paymentId}`,
  object: 'payment_intent',
  metadata: { payment_id: paymentId },
  amount_received: amount,
  payment_method: method,
});

export const paidSession = (paymentId: string, amount: number) => ({
  id: `cs_${paymentId}`,
  object: 'checkout.session',
  payment_status: 'paid',
  metadata: { payment_id: paymentId },
  amount_total: amount,
  payment_intent: `pi_${paymentId}`,
});

export const disputed = (paymentId: string, status: string, amount = 150) => ({
  id: `dp_${paymentId}`,
  object: 'dispute',
  payment_intent: `pi_${paymentId}`,
  metadata: {},
  amount,
  status,
});

export const SETTINGS = { threshold: 10, gems: 100, monthlyLimit: 300 };

/** Creates an account that has paid by card once and has auto top-up on. */
export async function cardHolder(gems: number) {
  const { id } = await openAccount(gems);
  await pool().query(
    `update accounts set stripe_customer = $2, stripe_method = '{"id":"pm_1","label":"visa …4242"}' where id = $1`,
    [id, `cus_${id}`],
  );
  await setAutoTopUp(id, SETTINGS);
  return id;
}

/** Makes another manual payment, with another card. */
export async function payAgain(id: string, method: string) {
  const { payment } = await topUp(id, 100);
  await announce('payment_intent.succeeded', paidIntent(payment.id, 150, method));
  return payment.id;
}

/** Creates an account that bought 100 gems for 150 and has `left` gems left. */
export async function buyer(left: number) {
  const { id } = await openAccount();
  const { payment } = await topUp(id, 100);
  await announce('payment_intent.succeeded', paidIntent(payment.id, 150));
  await spend(id, 100 - left);
  return { id, paymentId: payment.id };
}

export const spend = (id: string, gems: number) =>
  gems !== 0 && bookGems(id, { kind: 'grant', gems: -gems, reason: 'spent' }, db());

export const refunded = (paymentId: string, amount: number) => ({
  id: `ch_${paymentId}`,
  object: 'charge',
  payment_intent: `pi_${paymentId}`,
  metadata: {},
  amount: 150,
  amount_refunded: amount,
});

/** Opens a concurrent transaction that locks the account. */
export async function hold(id: string): Promise<Client> {
  const client = await begin();
  await client.query('select from accounts where id = $1 for no key update', [id]);
  return client;
}

/** Waits until a transaction queues behind another one for a row lock. */
export async function untilLined(client: Client): Promise<void> {
  const lined = `select from pg_locks where not granted and locktype = 'tuple'
    and database = (select oid from pg_database where datname = current_database())`;
  await expect.poll(async () => (await client.query(lined)).rowCount).toBe(1);
}
