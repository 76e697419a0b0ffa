import { expect, onTestFinished, test, vi } from 'vitest';
import { getAccount } from '#lib/accounts/accounts';
import { autoTopUp } from '#lib/accounts/auto-top-up';
import { readBalance } from '#lib/accounts/ledger';
import { listPayments } from '#lib/accounts/payments/payments';
import { takeStripeEvent } from '#lib/accounts/payments/stripe-events';
import {
  announce,
  buyer,
  cardHolder,
  disputed,
  hold,
  openAccount,
  paidIntent,
  paidSession,
  payAgain,
  refunded,
  setStripeStage,
  untilLined,
} from '#lib/accounts/payments/stripe-test-stage';
import { topUp } from '#lib/accounts/top-up';
import { pool } from '#lib/db/client';
import { newId } from '#lib/ids';
import { commitWhenWaitedFor, WAITING } from '#lib/life/test-requests';
import { log } from '#lib/log';

await setStripeStage();

test('a Checkout session completed without payment is booked when the money arrives', async () => {
  const { id } = await openAccount();
  const { payment } = await topUp(id, 10);
  await announce('checkout.session.completed', { ...paidSession(payment.id, 15), payment_status: 'unpaid' });
  expect(await readBalance(id)).toBe(0);
  expect((await listPayments(id)).data).toMatchObject([{ status: 'open' }]);
  await announce('checkout.session.async_payment_succeeded', paidSession(payment.id, 15));
  expect(await readBalance(id)).toBe(10);
});

test('a payment whose Checkout session expired is still booked when the money arrives', async () => {
  const { id } = await openAccount();
  const { payment } = await topUp(id, 10);
  await announce('checkout.session.expired', { ...paidSession(payment.id, 15), payment_status: 'unpaid' });
  expect((await listPayments(id)).data).toMatchObject([{ status: 'failed' }]);
  await announce('checkout.session.async_payment_succeeded', paidSession(payment.id, 15));
  expect(await readBalance(id)).toBe(10);
});

test('a webhook with a wrong signature, a wrong amount or an unknown payment books nothing', async () => {
  const { id } = await openAccount();
  const { payment } = await topUp(id, 10);
  const forged = announce('payment_intent.succeeded', paidIntent(payment.id, 15), { secret: 'whsec_other' });
  await expect(forged).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(takeStripeEvent('{}', null)).rejects.toMatchObject({ code: 'invalid_request' });
  for (const amount of [1, 150])
    await expect(announce('payment_intent.succeeded', paidIntent(payment.id, amount))).rejects.toThrow('Stripe says 1');
  await announce('payment_intent.succeeded', paidIntent(newId(), 15));
  await announce('payment_intent.succeeded', { ...paidIntent(payment.id, 15), metadata: {} });
  expect(await readBalance(id)).toBe(0);
});

test('booking a payment and updating payments of its account at the same time do not deadlock', async () => {
  const { id } = await openAccount();
  const { payment } = await topUp(id, 10);
  const elsewhere = await hold(id);
  const booking = announce('checkout.session.completed', paidSession(payment.id, 15));
  await expect.poll(async () => (await elsewhere.query(WAITING)).rowCount).toBe(1);
  await elsewhere.query('update payments set updated_at = now() where account_id = $1', [id]);
  await commitWhenWaitedFor(elsewhere);
  await booking;
  expect(await readBalance(id)).toBe(10);
});

test('a payment whose account was deleted is recorded as succeeded, and the log says to refund it', async () => {
  const { id } = await openAccount();
  const { payment } = await topUp(id, 10);
  await pool().query('delete from accounts where id = $1', [id]);
  const logged = vi.spyOn(log(), 'error');
  onTestFinished(() => logged.mockRestore());
  await announce('payment_intent.succeeded', paidIntent(payment.id, 15));
  expect(logged).toHaveBeenCalledExactlyOnceWith({ paymentId: payment.id }, expect.stringContaining('refund it'));
  const { rows } = await pool().query('select status, account_id from payments where id = $1', [payment.id]);
  expect(rows).toEqual([{ status: 'succeeded', account_id: null }]);
});

test('the card of the latest payment is saved, regardless of late or repeated events', async () => {
  const { id } = await openAccount();
  const card = async () => (await getAccount(id)).stripeMethod?.id;
  const [first, second] = [(await topUp(id, 100)).payment, (await topUp(id, 100)).payment];
  // unpaid payments and those of other accounts do not count
  await topUp(id, 100);
  await buyer(0);
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

test.each([
  ['charge.refunded', 'pm_2'],
  ['charge.dispute.created', undefined],
])('a card reported after its payment, and after %s of an earlier payment, is saved as %s', async (type, card) => {
  const { id, paymentId } = await buyer(100);
  const { payment } = await topUp(id, 100);
  await announce('checkout.session.completed', paidSession(payment.id, 150));
  await announce(type, { ...refunded(paymentId, 150), ...disputed(paymentId, 'needs_response') });
  await announce('charge.dispute.created', disputed((await buyer(0)).paymentId, 'needs_response'));
  await announce('payment_intent.succeeded', paidIntent(payment.id, 150, 'pm_2'));
  expect((await getAccount(id)).stripeMethod?.id).toBe(card);
});

test('a card is not saved if its payment is disputed at the moment that the card is reported', async () => {
  const { id } = await openAccount();
  const { payment } = await topUp(id, 100);
  const before = await hold(id);
  const told = announce('payment_intent.succeeded', paidIntent(payment.id, 150));
  // queues for the account's lock behind the booking of the payment and ahead of saving the card
  await expect.poll(async () => (await before.query(WAITING)).rowCount).toBe(1);
  const holding = hold(id);
  await untilLined(before);
  await commitWhenWaitedFor(before);
  const dispute = `insert into reversals (ref, payment_id, kind, amount, over, at) values ('dp_now', $1, 'dispute', 150, false, now())`;
  const meanwhile = await holding;
  await meanwhile.query(dispute, [payment.id]);
  await commitWhenWaitedFor(meanwhile);
  await told;
  expect(await getAccount(id)).toMatchObject({ balance: 100, stripeMethod: null });
});

test('a new card is kept even if an automatic payment with the previous card was made in between', async () => {
  const id = await cardHolder(5);
  const { payment } = await topUp(id, 100);
  expect(await autoTopUp(id, 50)).toBe(true);
  await announce('payment_intent.succeeded', paidIntent(payment.id, 150, 'pm_2'));
  const [automatic] = (await listPayments(id)).data;
  await announce('payment_intent.succeeded', paidIntent(automatic!.id, 150, 'pm_1'));
  expect(await getAccount(id)).toMatchObject({ stripeMethod: { id: 'pm_2' } });
});

test('a card is not saved if the dispute of its payment is reported before the payment', async () => {
  const { id } = await openAccount();
  const { payment } = await topUp(id, 100);
  const early = { ...disputed(payment.id, 'needs_response'), metadata: { payment_id: payment.id } };
  await announce('charge.dispute.created', early);
  await announce('payment_intent.succeeded', paidIntent(payment.id, 150));
  expect(await getAccount(id)).toMatchObject({ balance: 0, stripeMethod: null });
});

test('a late event of an automatic payment does not restore its old card', async () => {
  const id = await cardHolder(5);
  await autoTopUp(id, 50);
  const [automatic] = (await listPayments(id)).data;
  await payAgain(id, 'pm_2');
  await announce('payment_intent.succeeded', paidIntent(automatic!.id, 150, 'pm_1'));
  expect(await getAccount(id)).toMatchObject({ stripeMethod: { id: 'pm_2' } });
});
