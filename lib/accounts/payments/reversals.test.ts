import { expect, test } from 'vitest';
import { getAccount } from '#lib/accounts/accounts';
import { mayTopUp, setAutoTopUp } from '#lib/accounts/auto-top-up';
import { readGemsOverview } from '#lib/accounts/gems-overview';
import { listLedger, readBalance } from '#lib/accounts/ledger';
import { listPayments } from '#lib/accounts/payments/payments';
import {
  announce,
  buyer,
  disputed,
  hold,
  openAccount,
  paidIntent,
  paidSession,
  payAgain,
  refunded,
  setStripeStage,
  SETTINGS,
  spend,
  untilLined,
} from '#lib/accounts/payments/stripe-test-stage';
import { owedMails } from '#lib/accounts/test-mails';
import { topUp } from '#lib/accounts/top-up';
import { pool } from '#lib/db/client';
import { newId } from '#lib/ids';
import { commitWhenWaitedFor, expectWholeBooks } from '#lib/life/test-requests';

await setStripeStage();

const reversalsOf = async (id: string) => {
  const { data } = await listLedger(id, { kind: 'reversal' });
  return data.map(({ gems }) => gems).toReversed();
};

test('refunds take back the gems in proportion, regardless of how often and in what order they are reported', async () => {
  const { id, paymentId } = await buyer(100);
  await announce('charge.refunded', refunded(paymentId, 100));
  expect(await readBalance(id)).toBe(33);
  await Promise.all([75, 150, 75, 150].map(amount => announce('charge.refunded', refunded(paymentId, amount))));
  await announce('charge.refunded', refunded(paymentId, 75));
  expect(await readBalance(id)).toBe(0);
  expect((await reversalsOf(id)).reduce((sum, gems) => sum + gems)).toBe(-100);
  expect((await listPayments(id)).data).toMatchObject([
    { status: 'succeeded', amountReturned: 150, gemsReturned: 100 },
  ]);
});

test('a failed refund returns the gems and a later refund takes them again, in any order of events', async () => {
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
  const failedEarly = { ...failed, id: 're_early', payment_intent: `pi_${early.paymentId}` };
  await announce('refund.failed', failedEarly);
  expect(await readBalance(early.id)).toBe(100);
  // a refund in the same second as its failure is still offset by it, and a later dispute is not mistaken for a refund
  await announce('charge.refunded', refunded(early.paymentId, 75));
  await announce('charge.dispute.closed', disputed(early.paymentId, 'won'), { created: 1_790_000_100 });
  expect(await readBalance(early.id)).toBe(100);
});

test('gems spent before their payment is refunded are owed, and taken from the next gems bought', async () => {
  const { id, paymentId } = await buyer(30);
  await announce('charge.refunded', refunded(paymentId, 150));
  expect(await readBalance(id)).toBe(0);
  expect(await readGemsOverview(id)).toMatchObject({ balance: 0, owed: 70 });
  await setAutoTopUp(id, SETTINGS);
  expect([await mayTopUp(id, 230), await mayTopUp(id, 231)]).toEqual([true, false]);
  const next = await topUp(id, 50);
  await announce('payment_intent.succeeded', paidIntent(next.payment.id, 75));
  expect(await readGemsOverview(id)).toMatchObject({ balance: 0, owed: 20 });
  const last = await topUp(id, 50);
  await announce('payment_intent.succeeded', paidIntent(last.payment.id, 75));
  expect(await readGemsOverview(id)).toMatchObject({ balance: 30, owed: 0 });
  expect(await reversalsOf(id)).toEqual([-30, -50, -20]);
});

test('a payment booked from its Checkout session is found by its intent when it is disputed', async () => {
  const { id } = await openAccount();
  const { payment } = await topUp(id, 100);
  await announce('checkout.session.completed', paidSession(payment.id, 150));
  await announce('charge.dispute.created', disputed(payment.id, 'needs_response'));
  expect(await readBalance(id)).toBe(0);
});

test('gems owed are taken once even when two more payments are refunded at the same time', async () => {
  const { id, paymentId } = await buyer(0);
  const others = [await payAgain(id, 'pm_1'), await payAgain(id, 'pm_1')];
  await spend(id, 200);
  await announce('charge.refunded', refunded(paymentId, 150));
  await spend(id, -1_000);
  expect(await readGemsOverview(id)).toMatchObject({ balance: 1_000, owed: 100 });
  const elsewhere = await hold(id);
  const told = Promise.all(others.map(one => announce('charge.refunded', refunded(one, 150))));
  await untilLined(elsewhere);
  await commitWhenWaitedFor(elsewhere);
  await told;
  expect(await readGemsOverview(id)).toMatchObject({ balance: 700, owed: 0 });
});

test.each(['won', 'prevented'])('a dispute takes the gems immediately, and returns them when it is %s', async over => {
  const { id, paymentId } = await buyer(40);
  await announce('charge.dispute.created', disputed(paymentId, 'needs_response'));
  expect(await readGemsOverview(id)).toMatchObject({ balance: 0, owed: 60 });
  await announce('charge.dispute.closed', disputed(paymentId, over));
  expect(await readGemsOverview(id)).toMatchObject({ balance: 40, owed: 0 });
  await announce('charge.dispute.created', disputed(paymentId, 'needs_response'));
  await announce('charge.dispute.closed', disputed(paymentId, over));
  expect(await reversalsOf(id)).toEqual([-40, 40]);
});

test('gems returned by a won dispute pay for gems that are owed', async () => {
  const { id, paymentId } = await buyer(100);
  await announce('charge.dispute.created', disputed(paymentId, 'needs_response'));
  const { payment } = await topUp(id, 100);
  await announce('payment_intent.succeeded', paidIntent(payment.id, 150));
  await spend(id, 100);
  await announce('charge.refunded', refunded(payment.id, 150));
  expect(await readGemsOverview(id)).toMatchObject({ balance: 0, owed: 100 });
  await announce('charge.dispute.closed', disputed(paymentId, 'won'));
  expect(await readGemsOverview(id)).toMatchObject({ balance: 0, owed: 0 });
  // no mail: auto top-up was off, so nothing was switched off
  expect(await owedMails((await getAccount(id)).email)).toEqual([]);
});

test('a lost dispute beside a refund takes back no more than was paid; a dispute warning takes nothing', async () => {
  const { id, paymentId } = await buyer(100);
  await spend(id, -100);
  await announce('charge.dispute.created', disputed(paymentId, 'warning_needs_response'));
  expect(await readBalance(id)).toBe(200);
  await announce('charge.refunded', refunded(paymentId, 90));
  await announce('charge.dispute.closed', disputed(paymentId, 'lost', 1_000));
  expect(await readGemsOverview(id)).toMatchObject({ balance: 100, owed: 0 });
});

test('a dispute forgets the saved card and switches auto top-up off', async () => {
  const { id, paymentId } = await buyer(100);
  await setAutoTopUp(id, { threshold: 10, gems: 100, monthlyLimit: 300 });
  await announce('charge.dispute.created', disputed(paymentId, 'needs_response'));
  expect(await getAccount(id)).toMatchObject({ autoTopUp: null, stripeMethod: null });
});

test.each([
  ['lost', ['charge.dispute.closed', 'lost']],
  ['told again after it was won', ['charge.dispute.closed', 'won'], ['charge.dispute.created', 'needs_response']],
])('a dispute that is %s leaves a newer card and newer settings; the holder is notified once', async (_, ...then) => {
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
});

test('a refund, or a dispute first reported as won, leaves the saved card and the auto top-up settings', async () => {
  const { id, paymentId } = await buyer(100);
  await setAutoTopUp(id, SETTINGS);
  await announce('charge.refunded', refunded(paymentId, 75));
  await announce('charge.dispute.closed', disputed(paymentId, 'won'));
  expect(await getAccount(id)).toMatchObject({ autoTopUp: SETTINGS, stripeMethod: { id: 'pm_1' } });
});

test('a dispute that could not be recorded sends no mail until it is recorded, and then only one', async () => {
  const { id, paymentId } = await buyer(100);
  const { email } = await setAutoTopUp(id, SETTINGS);
  const tell = () => announce('charge.dispute.created', disputed(paymentId, 'needs_response'));
  await pool().query('alter table ledger rename to ledger_away');
  await expect(tell().finally(() => pool().query('alter table ledger_away rename to ledger'))).rejects.toThrow();
  await tell();
  expect(await owedMails(email)).toHaveLength(1);
});

test('a refund reported before its payment takes only the gems of that payment', async () => {
  const { id } = await openAccount(20);
  const { payment } = await topUp(id, 100);
  const early = { ...refunded(payment.id, 150), metadata: { payment_id: payment.id } };
  await announce('charge.refunded', early);
  expect(await readBalance(id)).toBe(20);
  await announce('payment_intent.succeeded', paidIntent(payment.id, 150));
  expect(await readGemsOverview(id)).toMatchObject({ balance: 20, owed: 0 });
});

test('forged reversals and those of unknown payments take nothing; a refund to a deleted account is recorded', async () => {
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

test('the ledger is consistent after all tests above', expectWholeBooks);
