import { expect, onTestFinished, test, vi } from 'vitest';
import { getAccount } from '#lib/accounts/accounts';
import { autoTopUp, setAutoTopUp } from '#lib/accounts/auto-top-up';
import { readGemsOverview } from '#lib/accounts/gems-overview';
import { listLedger, readBalance } from '#lib/accounts/ledger';
import { paymentProvider } from '#lib/accounts/payments/chosen-provider';
import { listPayments } from '#lib/accounts/payments/payments';
import {
  announce,
  buyer,
  cardHolder,
  openAccount,
  paidIntent,
  paidSession,
  payAgain,
  setStripeStage,
  SETTINGS,
} from '#lib/accounts/payments/stripe-test-stage';
import { topUp } from '#lib/accounts/top-up';
import { pool } from '#lib/db/client';
import { env } from '#lib/env';
import { expectWholeBooks } from '#lib/life/test-requests';

const stripe = await setStripeStage();

test('a top-up opens a Checkout page, and its webhooks book it once despite concurrent and repeated events', async () => {
  const { id } = await openAccount();
  const { payment, url } = await topUp(id, 101);
  expect(url).toMatch(new RegExp(`^https://checkout\\.stripe\\.example/.*${payment.id}$`));
  expect(payment).toMatchObject({ status: 'open', gems: 101, amount: 152, currency: 'usd' });
  expect(stripe.of('/v1/checkout/sessions')).toMatchObject([
    {
      key: expect.stringMatching(`-${payment.id}$`),
      fields: {
        'line_items[0][price_data][unit_amount]': '152',
        'payment_intent_data[setup_future_usage]': 'off_session',
        'payment_intent_data[metadata][payment_id]': payment.id,
        cancel_url: expect.stringMatching(`/account/gems\\?payment=${payment.id}&cancelled$`),
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

test('repeating a top-up with its idempotency key returns the same Checkout page until it is paid', async () => {
  const { id } = await openAccount();
  const first = await topUp(id, 101, 'a key');
  expect(await topUp(id, 101, 'a key')).toMatchObject({ payment: { id: first.payment.id }, url: first.url });
  stripe.forgetKeys();
  expect(await topUp(id, 101, 'a key')).toMatchObject({ payment: { id: first.payment.id }, url: first.url });
  expect(stripe.sessions.size).toBe(1);
  expect((await listPayments(id)).data).toHaveLength(1);
  Object.assign([...stripe.sessions.values()][0]!, { status: 'complete', url: null });
  expect(await topUp(id, 101, 'a key')).toMatchObject({ payment: { status: 'open' }, url: null });
  await announce('checkout.session.completed', paidSession(first.payment.id, 152));
  expect(await topUp(id, 101, 'a key')).toMatchObject({ payment: { status: 'succeeded' }, url: null });
  expect(await readBalance(id)).toBe(101);
});

test('a top-up whose Checkout page expired has failed, and its idempotency key opens no other page', async () => {
  const { id } = await openAccount();
  await topUp(id, 101, 'a key');
  Object.assign([...stripe.sessions.values()][0]!, { status: 'expired', url: null });
  stripe.forgetKeys();
  for (let n = 0; n < 2; n++)
    expect(await topUp(id, 101, 'a key')).toMatchObject({
      payment: { status: 'failed', error: 'It was not paid in time.' },
      url: null,
    });
  expect(stripe.sessions.size).toBe(1);
});

test('a Checkout page whose URL was lost is found again while Stripe knows the key, and not replaced later', async () => {
  const { id } = await openAccount();
  stripe.mood = 'silent';
  await expect(topUp(id, 101, 'a key')).rejects.toThrow();
  stripe.mood = 'pays';
  expect((await topUp(id, 101, 'a key')).url).toBe([...stripe.sessions.values()][0]!.url);
  await pool().query(
    `update payments set provider_ref = null, created_at = now() - interval '1 day' where account_id = $1`,
    [id],
  );
  stripe.forgetKeys();
  await expect(topUp(id, 101, 'a key')).rejects.toMatchObject({ code: 'invalid_request' });
  expect((await listPayments(id)).data).toMatchObject([{ status: 'failed' }]);
  expect(stripe.sessions.size).toBe(1);
});

test('a top-up that Stripe refuses fails with the reason', async () => {
  const { id } = await openAccount();
  stripe.mood = 'refuses';
  const refused = { code: 'invalid_request', message: expect.stringContaining('at least 50 cents') };
  await expect(topUp(id, 1, 'a key')).rejects.toMatchObject(refused);
  const failed = { status: 'failed', error: expect.stringContaining('at least 50 cents') };
  expect((await listPayments(id)).data).toMatchObject([failed]);
  expect(await topUp(id, 1, 'a key')).toMatchObject({ payment: failed, url: null });
});

test('the price of gems is not rounded up because of floating-point errors', async () => {
  const { id } = await openAccount();
  env().GEM_PRICE = 1.1;
  const { payment } = await topUp(id, 100);
  env().GEM_PRICE = 1.5;
  expect(payment).toMatchObject({ amount: 110 });
});

test('concurrent auto top-ups charge the saved card once', async () => {
  const id = await cardHolder(5);
  const covered = await Promise.all(Array.from({ length: 8 }, () => autoTopUp(id, 50)));
  expect(covered).toEqual(Array(8).fill(true));
  expect(stripe.of('/v1/payment_intents')).toHaveLength(1);
  expect(await readBalance(id)).toBe(105);
});

test('a declined card leaves the balance unchanged, is reported, and is not charged again immediately', async () => {
  const id = await cardHolder(5);
  stripe.mood = 'declines';
  expect(await autoTopUp(id, 50)).toBe(false);
  expect(await autoTopUp(id, 50)).toBe(false);
  expect(stripe.of('/v1/payment_intents')).toHaveLength(1);
  expect((await listPayments(id)).data).toMatchObject([{ status: 'failed', error: 'Your card was declined.' }]);
  expect(await readBalance(id)).toBe(5);
});

test('declined charges and manual top-ups do not count towards the monthly limit of auto top-up', async () => {
  const id = await cardHolder(5);
  await setAutoTopUp(id, { ...SETTINGS, monthlyLimit: 100 });
  stripe.mood = 'declines';
  expect(await autoTopUp(id, 50)).toBe(false);
  await pool().query(`update payments set created_at = now() - interval '15 minutes' where account_id = $1`, [id]);
  stripe.mood = 'pays';
  await payAgain(id, 'pm_1');
  expect(await autoTopUp(id, 150)).toBe(true);
  expect((await listLedger(id, { kind: 'top_up' })).data).toMatchObject([
    { gems: 100, reason: 'Automatic top-up' },
    { gems: 100, reason: 'Top-up' },
  ]);
});

test('a charge for which the bank asks for confirmation does not count as paid', async () => {
  const id = await cardHolder(5);
  stripe.mood = 'asks';
  expect(await autoTopUp(id, 50)).toBe(false);
  expect((await listPayments(id)).data).toMatchObject([
    { status: 'failed', error: expect.stringContaining('confirm') },
  ]);
});

test('a charge whose response is lost is resumed later, and charged and booked only once', async () => {
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

test(
  'a submit with enough gems does not wait for a charge, neither its own nor one in progress',
  { timeout: 15_000 },
  async () => {
    const id = await cardHolder(5);
    const bank = Promise.withResolvers<never>();
    const charge = vi.spyOn(paymentProvider(), 'charge').mockReturnValue(bank.promise);
    onTestFinished(() => charge.mockRestore());
    for (let n = 0; n < 2; n++) expect(await autoTopUp(id, 5)).toBe(true);
    expect(charge).toHaveBeenCalledOnce();
    bank.reject(new Error('the bank is closed'));
  },
);

test('an unanswered charge that is older than its key at Stripe fails, and another one is made', async () => {
  const id = await cardHolder(5);
  stripe.mood = 'drops';
  expect(await autoTopUp(id, 50)).toBe(false);
  await pool().query(`update payments set created_at = now() - interval '2 days' where account_id = $1`, [id]);
  stripe.mood = 'pays';
  expect(await autoTopUp(id, 50)).toBe(true);
  expect((await listPayments(id)).data).toMatchObject([
    { status: 'succeeded' },
    { status: 'failed', error: 'It was never answered.' },
  ]);
});

test('a charge whose first attempt is still in progress at Stripe is waited for', async () => {
  const id = await cardHolder(5);
  stripe.mood = 'busy';
  expect(await autoTopUp(id, 50)).toBe(false);
  await pool().query(`update payments set created_at = now() - interval '5 minutes' where account_id = $1`, [id]);
  expect(await autoTopUp(id, 50)).toBe(false);
  expect((await listPayments(id)).data).toMatchObject([{ status: 'open' }]);
  stripe.mood = 'pays';
  expect(await autoTopUp(id, 50)).toBe(true);
  expect(await readBalance(id)).toBe(105);
});

test.each([
  ['that was made is booked', 'silent', true, 'succeeded', 105],
  ['that was not made is over, and the next is with the new card', 'drops', false, 'failed', 5],
] as const)(
  'when the response is lost before the card is changed, a charge %s',
  async (_, mood, covered, status, balance) => {
    const id = await cardHolder(5);
    stripe.mood = mood;
    expect(await autoTopUp(id, 50)).toBe(false);
    stripe.mood = 'pays';
    await pool().query(`update accounts set stripe_method = stripe_method || '{"id": "pm_2"}' where id = $1`, [id]);
    const madeAgo = (span: string) =>
      pool().query(`update payments set created_at = now() - $2::interval where account_id = $1`, [id, span]);
    // after a minute the charge may still be in progress
    await madeAgo('1 minute');
    expect(await autoTopUp(id, 50)).toBe(covered);
    if (!covered) expect((await listPayments(id)).data).toMatchObject([{ status: 'open' }]);
    await madeAgo('3 minutes');
    expect(await autoTopUp(id, 50)).toBe(covered);
    expect((await listPayments(id)).data).toMatchObject([{ status }]);
    expect(await readBalance(id)).toBe(balance);
    if (covered) return;
    await madeAgo('1 day');
    expect(await autoTopUp(id, 50)).toBe(true);
    expect(stripe.of('/v1/payment_intents').at(-1)?.fields.payment_method).toBe('pm_2');
    expect(await readBalance(id)).toBe(105);
  },
);

test('a debit that takes days is waited for, and no other charge is made meanwhile', async () => {
  const id = await cardHolder(5);
  stripe.mood = 'debits';
  expect(await autoTopUp(id, 50)).toBe(false);
  // counted in the month of its start, which two days ago may be another one
  expect(await readGemsOverview(id)).toMatchObject({ balance: 5, auto_topped_up: 100 });
  await pool().query(`update payments set created_at = now() - interval '2 days' where account_id = $1`, [id]);
  expect(await autoTopUp(id, 50)).toBe(false);
  expect(stripe.of('/v1/payment_intents')).toHaveLength(1);
  const [payment, ...more] = (await listPayments(id)).data;
  expect([payment?.status, more]).toEqual(['open', []]);
  expect(await readBalance(id)).toBe(5);
  stripe.intents.get(payment!.id)!.status = 'succeeded';
  expect(await autoTopUp(id, 50)).toBe(true);
  expect(await readBalance(id)).toBe(105);
});

test('a debit returned by the bank fails with the reason', async () => {
  const id = await cardHolder(5);
  stripe.mood = 'debits';
  await autoTopUp(id, 50);
  await pool().query(`update payments set created_at = now() - interval '5 minutes' where account_id = $1`, [id]);
  const [payment] = (await listPayments(id)).data;
  const back = { status: 'requires_payment_method', last_payment_error: { message: 'Insufficient funds.' } };
  Object.assign(stripe.intents.get(payment!.id)!, back);
  expect(await autoTopUp(id, 50)).toBe(false);
  expect((await listPayments(id)).data).toMatchObject([{ status: 'failed', error: 'Insufficient funds.' }]);
});

test('a customer that Stripe no longer knows is created again, without the saved card', async () => {
  const { id } = await buyer(0);
  const gone = (await getAccount(id)).stripeCustomer!;
  stripe.unknownCustomers.add(gone);
  stripe.calls.length = 0;
  stripe.sessions.clear();
  const { payment, url } = await topUp(id, 100, 'a key');
  expect(url).toContain('https://checkout.stripe.example/');
  const { stripeCustomer, stripeMethod } = await getAccount(id);
  expect(stripeCustomer).not.toBe(gone);
  expect(stripeMethod).toBeNull();
  expect(stripe.of('/v1/checkout/sessions').map(({ fields }) => fields.customer)).toEqual([gone, stripeCustomer]);
  await pool().query('update payments set provider_ref = null where id = $1', [payment.id]);
  expect(await topUp(id, 100, 'a key')).toMatchObject({ url });
  expect(stripe.sessions.size).toBe(1);
});

test('a card whose customer Stripe no longer knows is removed and not charged again, and the charge fails', async () => {
  const id = await cardHolder(5);
  stripe.unknownCustomers.add(`cus_${id}`);
  expect(await autoTopUp(id, 50)).toBe(false);
  expect((await listPayments(id)).data).toMatchObject([
    { status: 'failed', error: expect.stringContaining('manually') },
  ]);
  expect(await getAccount(id)).toMatchObject({ stripeMethod: null, autoTopUp: SETTINGS });
  await pool().query(`update payments set created_at = now() - interval '15 minutes' where account_id = $1`, [id]);
  expect(await autoTopUp(id, 50)).toBe(false);
  expect((await listPayments(id)).data).toHaveLength(1);
});

test('the ledger is consistent after all tests above', expectWholeBooks);
