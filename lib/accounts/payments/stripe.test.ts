import { afterAll, beforeEach, expect, test } from 'vitest';
import { createAccount, getAccount } from '#lib/accounts/accounts';
import { autoTopUp, setAutoTopUp } from '#lib/accounts/auto-top-up';
import { checkLedger } from '#lib/accounts/ledger-check';
import { listLedger, readBalance } from '#lib/accounts/ledger';
import { listPayments } from '#lib/accounts/payments/payments';
import { takeStripeEvent } from '#lib/accounts/payments/stripe-events';
import { createStripeClient } from '#lib/accounts/payments/stripe';
import { FakeStripe } from '#lib/accounts/payments/stripe-test-server';
import { topUp } from '#lib/accounts/top-up';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { newId } from '#lib/ids';

await useOwnDatabase();
const stripe = new FakeStripe();
const SECRET = 'whsec_test';
Object.assign(process.env, {
  STRIPE_SECRET_KEY: 'sk_test_pomona',
  STRIPE_WEBHOOK_SECRET: SECRET,
  STRIPE_URL: await stripe.start(),
  GEM_PRICE: '1.5',
  LOG_LEVEL: 'silent',
});
afterAll(() => stripe.stop());
beforeEach(() => {
  stripe.mood = 'pays';
  stripe.calls.length = 0;
});

const openAccount = (gems = 0) => createAccount({ email: `${newId()}@example.com`, gems });

/** A webhook as Stripe sends it, signed. */
async function announce(type: string, object: Record<string, unknown>, secret = SECRET): Promise<void> {
  const body = JSON.stringify({ id: `evt_${newId()}`, object: 'event', type, data: { object } });
  const signature = createStripeClient('sk').webhooks.generateTestHeaderString({ payload: body, secret });
  await takeStripeEvent(body, signature);
}

const paidIntent = (paymentId: string, amount: number) => ({
  id: `pi_${paymentId}`,
  object: 'payment_intent',
  metadata: { payment_id: paymentId },
  amount_received: amount,
  payment_method: 'pm_1',
});

const paidSession = (paymentId: string, amount: number) => ({
  id: `cs_${paymentId}`,
  object: 'checkout.session',
  payment_status: 'paid',
  metadata: { payment_id: paymentId },
  amount_total: amount,
  payment_intent: `pi_${paymentId}`,
});

/** An account that has paid by card once, and has auto top-up on. */
async function cardHolder(gems: number) {
  const { id } = await openAccount(gems);
  await pool().query(
    `update accounts set stripe_customer = $2, stripe_method = '{"id":"pm_1","label":"visa …4242"}' where id = $1`,
    [id, `cus_${id}`],
  );
  await setAutoTopUp(id, { threshold: 10, gems: 100, monthlyLimit: 300 });
  return id;
}

test('a top-up goes to Checkout, and its webhooks book it once, in any order and number', async () => {
  const { id } = await openAccount();
  const { payment, url } = await topUp(id, 101);
  expect(url).toBe(`https://checkout.stripe.example/${payment.id}`);
  expect(payment).toMatchObject({ status: 'open', gems: 101, amount: 152, currency: 'usd' });
  expect(stripe.of('/v1/checkout/sessions')).toMatchObject([
    {
      key: payment.id,
      fields: {
        'line_items[0][price_data][unit_amount]': '152',
        'payment_intent_data[setup_future_usage]': 'off_session',
        'payment_intent_data[metadata][payment_id]': payment.id,
      },
    },
  ]);
  expect(await readBalance(id)).toBe(0);
  await Promise.all([
    announce('payment_intent.succeeded', paidIntent(payment.id, 152)),
    announce('checkout.session.completed', paidSession(payment.id, 152)),
    announce('payment_intent.succeeded', paidIntent(payment.id, 152)),
  ]);
  await announce('checkout.session.expired', paidSession(payment.id, 152));
  expect(await readBalance(id)).toBe(101);
  expect((await listLedger(id)).data).toMatchObject([{ kind: 'top_up', gems: 101, paymentId: payment.id }]);
  expect((await listPayments(id)).data).toMatchObject([{ status: 'succeeded', providerRef: `pi_${payment.id}` }]);
  expect(await getAccount(id)).toMatchObject({ stripeMethod: { id: 'pm_1', label: 'visa …4242' } });
});

test('a payment that was given up is booked when it comes in after all', async () => {
  const { id } = await openAccount();
  const { payment } = await topUp(id, 10);
  await announce('checkout.session.expired', { ...paidSession(payment.id, 15), payment_status: 'unpaid' });
  expect((await listPayments(id)).data).toMatchObject([{ status: 'failed' }]);
  await announce('checkout.session.async_payment_succeeded', paidSession(payment.id, 15));
  expect(await readBalance(id)).toBe(10);
});

test('a webhook with a wrong signature, a wrong amount or of somebody else books nothing', async () => {
  const { id } = await openAccount();
  const { payment } = await topUp(id, 10);
  const forged = announce('payment_intent.succeeded', paidIntent(payment.id, 15), 'whsec_other');
  await expect(forged).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(takeStripeEvent('{}', null)).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(announce('payment_intent.succeeded', paidIntent(payment.id, 1))).rejects.toThrow('Stripe says 1');
  await announce('payment_intent.succeeded', paidIntent(newId(), 15));
  await announce('payment_intent.succeeded', { ...paidIntent(payment.id, 15), metadata: {} });
  expect(await readBalance(id)).toBe(0);
});

test('a payment outlives its account, and tells that it is to be refunded', async () => {
  const { id } = await openAccount();
  const { payment } = await topUp(id, 10);
  await pool().query('delete from accounts where id = $1', [id]);
  await announce('payment_intent.succeeded', paidIntent(payment.id, 15));
  const { rows } = await pool().query('select status, account_id from payments where id = $1', [payment.id]);
  expect(rows).toEqual([{ status: 'succeeded', account_id: null }]);
});

test('auto top-up charges the saved card once for many who need it at the same time', async () => {
  const id = await cardHolder(5);
  const covered = await Promise.all(Array.from({ length: 8 }, () => autoTopUp(id, 50)));
  expect(covered).toEqual(Array(8).fill(true));
  expect(stripe.of('/v1/payment_intents')).toHaveLength(1);
  expect(await readBalance(id)).toBe(105);
});

test('a declined card leaves the balance, is told, and is left alone for a while', async () => {
  const id = await cardHolder(5);
  stripe.mood = 'declines';
  expect(await autoTopUp(id, 50)).toBe(false);
  expect(await autoTopUp(id, 50)).toBe(false);
  expect(stripe.of('/v1/payment_intents')).toHaveLength(1);
  expect((await listPayments(id)).data).toMatchObject([{ status: 'failed', error: 'Your card was declined.' }]);
  expect(await readBalance(id)).toBe(5);
});

test('a card whose bank asks back is not counted as paid', async () => {
  const id = await cardHolder(5);
  stripe.mood = 'asks';
  expect(await autoTopUp(id, 50)).toBe(false);
  expect((await listPayments(id)).data).toMatchObject([
    { status: 'failed', error: expect.stringContaining('confirm') },
  ]);
});

test('a payment whose answer is lost is booked by its webhook, or taken up again, and charged once', async () => {
  const id = await cardHolder(5);
  stripe.mood = 'silent';
  expect(await autoTopUp(id, 50)).toBe(false);
  expect((await listPayments(id)).data).toMatchObject([{ status: 'open' }]);
  stripe.mood = 'pays';
  await pool().query(`update payments set created_at = now() - interval '1 minute' where account_id = $1`, [id]);
  expect(await autoTopUp(id, 50)).toBe(true);
  const [payment] = (await listPayments(id)).data;
  await announce('payment_intent.succeeded', paidIntent(String(payment?.id), 150));
  expect(await readBalance(id)).toBe(105);
  expect([...stripe.intents.keys()].filter(key => key === payment?.id)).toHaveLength(1);
});

test('the books are whole after all that', async () => {
  expect((await checkLedger()).filter(report => !report.ok)).toEqual([]);
});
