import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createAccount, getAccount } from '#lib/accounts/accounts';
import { autoTopUp, setAutoTopUp } from '#lib/accounts/auto-top-up';
import { checkLedger } from '#lib/ledger-check/check-ledger';
import { readGemsOverview } from '#lib/accounts/gems-overview';
import { bookGems, listLedger, readBalance } from '#lib/accounts/ledger';
import { paymentProvider } from '#lib/accounts/payments/chosen-provider';
import { listPayments } from '#lib/accounts/payments/payments';
import { takeStripeEvent } from '#lib/accounts/payments/stripe-events';
import { createStripeClient } from '#lib/accounts/payments/stripe-payments';
import { FakeStripe } from '#lib/accounts/payments/stripe-test-server';
import { owedMails } from '#lib/accounts/test-mails';
import { topUp } from '#lib/accounts/top-up';
import { db, pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { env } from '#lib/env';
import { newId } from '#lib/ids';

await useOwnDatabase();
const stripe = new FakeStripe();
const SECRET = 'whsec_test';
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

const openAccount = (gems = 0) => createAccount({ email: `${newId()}@example.com`, gems });

/** A webhook as Stripe sends it, signed; `created` in seconds. */
async function announce(
  type: string,
  object: Record<string, unknown>,
  { secret = SECRET, created = 1_790_000_000 } = {},
): Promise<void> {
  const body = JSON.stringify({ id: `evt_${newId()}`, object: 'event', created, type, data: { object } });
  const signature = createStripeClient('sk').webhooks.generateTestHeaderString({ payload: body, secret });
  await takeStripeEvent(body, signature);
}

const paidIntent = (paymentId: string, amount: number, method = 'pm_1') => ({
  id: `pi_${paymentId}`,
  object: 'payment_intent',
  metadata: { payment_id: paymentId },
  amount_received: amount,
  payment_method: method,
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

test('a top-up that is asked for again under its key leads to the page that was made first, until it is paid', async () => {
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

test('a page that was not paid in time is over, and its key leads to no other', async () => {
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

test('a page whose address was lost is found again while Stripe knows the key, and not made anew later', async () => {
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

test('a top-up that Stripe refuses is over, and says why', async () => {
  const { id } = await openAccount();
  stripe.mood = 'refuses';
  const refused = { code: 'invalid_request', message: expect.stringContaining('at least 50 cents') };
  await expect(topUp(id, 1, 'a key')).rejects.toMatchObject(refused);
  const failed = { status: 'failed', error: expect.stringContaining('at least 50 cents') };
  expect((await listPayments(id)).data).toMatchObject([failed]);
  expect(await topUp(id, 1, 'a key')).toMatchObject({ payment: failed, url: null });
});

test('what gems cost is not rounded up for the sake of a fraction that is none', async () => {
  const { id } = await openAccount();
  env().GEM_PRICE = 1.1;
  const { payment } = await topUp(id, 100);
  env().GEM_PRICE = 1.5;
  expect(payment).toMatchObject({ amount: 110 });
});

test('what Checkout ended with before its money came is booked when it comes', async () => {
  const { id } = await openAccount();
  const { payment } = await topUp(id, 10);
  await announce('checkout.session.completed', { ...paidSession(payment.id, 15), payment_status: 'unpaid' });
  expect(await readBalance(id)).toBe(0);
  expect((await listPayments(id)).data).toMatchObject([{ status: 'open' }]);
  await announce('checkout.session.async_payment_succeeded', paidSession(payment.id, 15));
  expect(await readBalance(id)).toBe(10);
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
  const forged = announce('payment_intent.succeeded', paidIntent(payment.id, 15), { secret: 'whsec_other' });
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

test(
  'a submit that there are gems for waits for no charge, its own or one that is under way',
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

test('a charge whose first try is still under way at Stripe is waited for', async () => {
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
  'of a charge whose answer is lost before the card is changed, one %s',
  async (_, mood, covered, status, balance) => {
    const id = await cardHolder(5);
    stripe.mood = mood;
    expect(await autoTopUp(id, 50)).toBe(false);
    stripe.mood = 'pays';
    await pool().query(`update accounts set stripe_method = stripe_method || '{"id": "pm_2"}' where id = $1`, [id]);
    const madeAgo = (span: string) =>
      pool().query(`update payments set created_at = now() - $2::interval where account_id = $1`, [id, span]);
    // it may be under way still
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
    expect(await readBalance(id)).toBe(105);
  },
);

test('a debit that takes days is waited for, and no other is made beside it', async () => {
  const id = await cardHolder(5);
  stripe.mood = 'debits';
  expect(await autoTopUp(id, 50)).toBe(false);
  await pool().query(`update payments set created_at = now() - interval '2 days' where account_id = $1`, [id]);
  expect(await autoTopUp(id, 50)).toBe(false);
  expect(stripe.of('/v1/payment_intents')).toHaveLength(1);
  const [payment, ...more] = (await listPayments(id)).data;
  expect([payment?.status, more]).toEqual(['open', []]);
  expect(await readGemsOverview(id)).toMatchObject({ balance: 5, auto_topped_up: 100 });
  stripe.intents.get(payment!.id)!.status = 'succeeded';
  expect(await autoTopUp(id, 50)).toBe(true);
  expect(await readBalance(id)).toBe(105);
});

test('a debit that the bank sends back is over, and says why', async () => {
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

/** An account that bought 100 gems for 150, and has that many left. */
async function buyer(left: number) {
  const { id } = await openAccount();
  const { payment } = await topUp(id, 100);
  await announce('payment_intent.succeeded', paidIntent(payment.id, 150));
  await spend(id, 100 - left);
  return { id, paymentId: payment.id };
}

const spend = (id: string, gems: number) =>
  gems !== 0 && bookGems(id, { kind: 'grant', gems: -gems, reason: 'spent' }, db());

const refunded = (paymentId: string, amount: number) => ({
  id: `ch_${paymentId}`,
  object: 'charge',
  payment_intent: `pi_${paymentId}`,
  metadata: {},
  amount: 150,
  amount_refunded: amount,
});

const disputed = (paymentId: string, status: string, amount = 150) => ({
  id: `dp_${paymentId}`,
  object: 'dispute',
  payment_intent: `pi_${paymentId}`,
  metadata: {},
  amount,
  status,
});

const reversalsOf = async (id: string) => {
  const { data } = await listLedger(id, { kind: 'reversal' });
  return data.map(({ gems }) => gems).toReversed();
};

test('refunds take the gems back that they paid for, part by part, however often and in what order they are told', async () => {
  const { id, paymentId } = await buyer(100);
  await announce('charge.refunded', refunded(paymentId, 75));
  expect(await readBalance(id)).toBe(50);
  await Promise.all([75, 150, 75, 150].map(amount => announce('charge.refunded', refunded(paymentId, amount))));
  await announce('charge.refunded', refunded(paymentId, 75));
  expect(await readBalance(id)).toBe(0);
  expect((await reversalsOf(id)).reduce((sum, gems) => sum + gems)).toBe(-100);
  expect((await listPayments(id)).data).toMatchObject([
    { status: 'succeeded', amountReturned: 150, gemsReturned: 100 },
  ]);
});

test('a refund that failed gives the gems again, and a later one takes them; in whatever order they are told', async () => {
  const { id, paymentId } = await buyer(100);
  const failed = {
    id: `re_${paymentId}`,
    object: 'refund',
    payment_intent: `pi_${paymentId}`,
    amount: 75,
    metadata: null,
  };
  const tell = {
    first: () => announce('charge.refunded', refunded(paymentId, 75), { created: 1_790_000_000 }),
    second: () => announce('charge.refunded', refunded(paymentId, 150), { created: 1_790_000_100 }),
    failed: () => announce('refund.failed', failed, { created: 1_790_000_200 }),
    again: () => announce('charge.refunded', refunded(paymentId, 150), { created: 1_790_000_300 }),
  };
  const balances: number[] = [];
  for (const told of ['first', 'second', 'failed', 'failed', 'second', 'again', 'first', 'failed'] as const) {
    await tell[told]();
    balances.push(await readBalance(id));
  }
  expect(balances).toEqual([50, 0, 50, 50, 50, 0, 0, 0]);
  const early = await buyer(100);
  await announce('refund.failed', { ...failed, id: 're_early', payment_intent: `pi_${early.paymentId}` });
  expect(await readBalance(early.id)).toBe(100);
});

test('gems that were spent before their money went back are owed, and taken from the next that are bought', async () => {
  const { id, paymentId } = await buyer(30);
  await announce('charge.refunded', refunded(paymentId, 150));
  expect(await readBalance(id)).toBe(0);
  expect(await readGemsOverview(id)).toMatchObject({ balance: 0, owed: 70 });
  const next = await topUp(id, 50);
  await announce('payment_intent.succeeded', paidIntent(next.payment.id, 75));
  expect(await readGemsOverview(id)).toMatchObject({ balance: 0, owed: 20 });
  const last = await topUp(id, 50);
  await announce('payment_intent.succeeded', paidIntent(last.payment.id, 75));
  expect(await readGemsOverview(id)).toMatchObject({ balance: 30, owed: 0 });
  expect(await reversalsOf(id)).toEqual([-30, -50, -20]);
});

test.each(['won', 'prevented'])('a dispute takes the gems at once, and gives them again when it is %s', async over => {
  const { id, paymentId } = await buyer(40);
  await announce('charge.dispute.created', disputed(paymentId, 'needs_response'));
  expect(await readGemsOverview(id)).toMatchObject({ balance: 0, owed: 60 });
  await announce('charge.dispute.closed', disputed(paymentId, over));
  expect(await readGemsOverview(id)).toMatchObject({ balance: 40, owed: 0 });
  await announce('charge.dispute.created', disputed(paymentId, 'needs_response'));
  await announce('charge.dispute.closed', disputed(paymentId, over));
  expect(await reversalsOf(id)).toEqual([-40, 40]);
});

test('what a dispute that is won gives again pays for what is owed', async () => {
  const { id, paymentId } = await buyer(100);
  await announce('charge.dispute.created', disputed(paymentId, 'needs_response'));
  const { payment } = await topUp(id, 100);
  await announce('payment_intent.succeeded', paidIntent(payment.id, 150));
  await spend(id, 100);
  await announce('charge.refunded', refunded(payment.id, 150));
  expect(await readGemsOverview(id)).toMatchObject({ balance: 0, owed: 100 });
  await announce('charge.dispute.closed', disputed(paymentId, 'won'));
  expect(await readGemsOverview(id)).toMatchObject({ balance: 0, owed: 0 });
});

test('a lost dispute beside a refund takes no more than was paid; a warning takes nothing', async () => {
  const { id, paymentId } = await buyer(100);
  await spend(id, -100);
  await announce('charge.dispute.created', disputed(paymentId, 'warning_needs_response'));
  expect(await readBalance(id)).toBe(200);
  await announce('charge.refunded', refunded(paymentId, 90));
  await announce('charge.dispute.closed', disputed(paymentId, 'lost', 1_000));
  expect(await readGemsOverview(id)).toMatchObject({ balance: 100, owed: 0 });
});

test('a card that was disputed is not charged by itself any more', async () => {
  const { id, paymentId } = await buyer(100);
  await setAutoTopUp(id, { threshold: 10, gems: 100, monthlyLimit: 300 });
  await announce('charge.dispute.created', disputed(paymentId, 'needs_response'));
  expect(await getAccount(id)).toMatchObject({ autoTopUp: null, stripeMethod: null });
});

const SETTINGS = { threshold: 10, gems: 100, monthlyLimit: 300 };

/** Pays once more by hand, with another card. */
async function payAgain(id: string, method: string) {
  const { payment } = await topUp(id, 100);
  await announce('payment_intent.succeeded', paidIntent(payment.id, 150, method));
  return payment.id;
}

test.each([
  ['lost', ['charge.dispute.closed', 'lost']],
  ['told again after it was won', ['charge.dispute.closed', 'won'], ['charge.dispute.created', 'needs_response']],
])(
  'a dispute that is %s leaves the card and the settings that came after it; its holder is told once',
  async (_, ...then) => {
    const { id, paymentId } = await buyer(100);
    await setAutoTopUp(id, SETTINGS);
    await announce('charge.dispute.created', disputed(paymentId, 'needs_response'));
    const { email, autoTopUp: settings } = await getAccount(id);
    expect(settings).toBeNull();
    await payAgain(id, 'pm_2');
    await setAutoTopUp(id, SETTINGS);
    for (const [type, status] of then as [string, string][]) await announce(type, disputed(paymentId, status));
    expect(await getAccount(id)).toMatchObject({ autoTopUp: SETTINGS, stripeMethod: { id: 'pm_2' } });
    expect(await owedMails(email)).toMatchObject([{ text: expect.stringContaining('auto top-up was switched off') }]);
  },
);

test('a refund leaves the card and the settings, and so does a dispute that is first told of when it was won', async () => {
  const { id, paymentId } = await buyer(100);
  await setAutoTopUp(id, SETTINGS);
  await announce('charge.refunded', refunded(paymentId, 75));
  await announce('charge.dispute.closed', disputed(paymentId, 'won'));
  expect(await getAccount(id)).toMatchObject({ autoTopUp: SETTINGS, stripeMethod: { id: 'pm_1' } });
});

test('a holder is told of a dispute once it is written down', async () => {
  const { id, paymentId } = await buyer(100);
  const { email } = await setAutoTopUp(id, SETTINGS);
  const tell = () => announce('charge.dispute.created', disputed(paymentId, 'needs_response'));
  await pool().query('alter table ledger rename to ledger_away');
  await expect(tell().finally(() => pool().query('alter table ledger_away rename to ledger'))).rejects.toThrow();
  await tell();
  expect(await owedMails(email)).toHaveLength(1);
});

test('the card of the latest payment is kept, whatever is told late or again', async () => {
  const { id } = await openAccount();
  const card = async () => (await getAccount(id)).stripeMethod?.id;
  const [first, second] = [(await topUp(id, 100)).payment, (await topUp(id, 100)).payment];
  await announce('payment_intent.succeeded', paidIntent(second.id, 150, 'pm_2'));
  await announce('payment_intent.succeeded', paidIntent(first.id, 150, 'pm_1'));
  expect(await card()).toBe('pm_2');
  await announce('charge.dispute.created', disputed(second.id, 'needs_response'));
  for (const [paymentId, method] of [
    [second.id, 'pm_2'],
    [first.id, 'pm_1'],
  ] as const)
    await announce('payment_intent.succeeded', paidIntent(paymentId, 150, method));
  expect(await card()).toBeUndefined();
  await payAgain(id, 'pm_3');
  expect(await card()).toBe('pm_3');
});

test('a new card is kept, though an automatic payment with the one before it is told sooner', async () => {
  const id = await cardHolder(5);
  const { payment } = await topUp(id, 100);
  expect(await autoTopUp(id, 50)).toBe(true);
  await announce('payment_intent.succeeded', paidIntent(payment.id, 150, 'pm_2'));
  expect(await getAccount(id)).toMatchObject({ stripeMethod: { id: 'pm_2' } });
});

test('a card is not kept whose payment was disputed before it was told of', async () => {
  const { id } = await openAccount();
  const { payment } = await topUp(id, 100);
  const early = { ...disputed(payment.id, 'needs_response'), metadata: { payment_id: payment.id } };
  await announce('charge.dispute.created', early);
  await announce('payment_intent.succeeded', paidIntent(payment.id, 150));
  expect(await getAccount(id)).toMatchObject({ balance: 0, stripeMethod: null });
});

test('what is told late of an automatic payment does not bring its card back', async () => {
  const id = await cardHolder(5);
  await autoTopUp(id, 50);
  const [automatic] = (await listPayments(id)).data;
  await payAgain(id, 'pm_2');
  await announce('payment_intent.succeeded', paidIntent(automatic!.id, 150, 'pm_1'));
  expect(await getAccount(id)).toMatchObject({ stripeMethod: { id: 'pm_2' } });
});

test('a customer whom Stripe does not know any more is made anew, without the card that is gone with them', async () => {
  const id = await cardHolder(5);
  stripe.unknownCustomers.add(`cus_${id}`);
  const { payment, url } = await topUp(id, 100, 'a key');
  expect(url).toContain('https://checkout.stripe.example/');
  const { stripeCustomer, stripeMethod } = await getAccount(id);
  expect(stripeCustomer).not.toBe(`cus_${id}`);
  expect(stripeMethod).toBeNull();
  expect(stripe.of('/v1/checkout/sessions').map(({ fields }) => fields.customer)).toEqual([
    `cus_${id}`,
    stripeCustomer,
  ]);
  await pool().query('update payments set provider_ref = null where id = $1', [payment.id]);
  expect(await topUp(id, 100, 'a key')).toMatchObject({ url });
  expect(stripe.sessions.size).toBe(1);
});

test('a card whose customer Stripe does not know any more is forgotten, and not tried again', async () => {
  const id = await cardHolder(5);
  stripe.unknownCustomers.add(`cus_${id}`);
  expect(await autoTopUp(id, 50)).toBe(false);
  expect((await listPayments(id)).data).toMatchObject([
    { status: 'failed', error: expect.stringContaining('by hand') },
  ]);
  expect(await getAccount(id)).toMatchObject({ stripeMethod: null, autoTopUp: SETTINGS });
});

test('money that goes back before the payment is booked takes nothing that was not given', async () => {
  const { id } = await openAccount(20);
  const { payment } = await topUp(id, 100);
  const early = { ...refunded(payment.id, 150), metadata: { payment_id: payment.id } };
  await announce('charge.refunded', early);
  expect(await readBalance(id)).toBe(20);
  await announce('payment_intent.succeeded', paidIntent(payment.id, 150));
  expect(await readGemsOverview(id)).toMatchObject({ balance: 20, owed: 0 });
});

test('refunds and disputes that are forged, of nobody, or of an account that is gone, take nothing', async () => {
  const { id, paymentId } = await buyer(100);
  const forged = announce('charge.refunded', refunded(paymentId, 150), { secret: 'whsec_other' });
  await expect(forged).rejects.toMatchObject({ code: 'invalid_request' });
  await announce('charge.refunded', refunded(newId(), 150));
  await announce('charge.dispute.created', disputed(newId(), 'needs_response'));
  expect(await readBalance(id)).toBe(100);
  await pool().query('delete from accounts where id = $1', [id]);
  await announce('charge.refunded', refunded(paymentId, 150));
  const { rows } = await pool().query('select gems_returned from payments where id = $1', [paymentId]);
  expect(rows).toEqual([{ gems_returned: 100 }]);
});

test('the books are whole after all that', async () => {
  expect((await checkLedger()).filter(report => !report.ok)).toEqual([]);
});
