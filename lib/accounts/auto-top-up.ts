import { setTimeout as pause } from 'node:timers/promises';
import { and, desc, eq } from 'drizzle-orm';
import { findAccount, lockAccount, updateAccount, type Account } from '#lib/accounts/accounts';
import { findPayment, gemsPaidThisMonth, insertPayment, settlePayment } from '#lib/accounts/payments/payments';
import { FORGOTTEN_MS, type Payment } from '#lib/accounts/payments/provider';
import { gemsOwed } from '#lib/accounts/payments/settle-returned';
import { paymentProvider } from '#lib/accounts/payments/chosen-provider';
import { readAllowance } from '#lib/accounts/top-up';
import { gemsWanted } from '#lib/contract/gems-wanted';
import { db, type Tx } from '#lib/db/client';
import { payments, type AutoTopUp } from '#lib/db/schema';
import { invalid } from '#lib/errors';
import { mustBe } from '#lib/issue';
import { log } from '#lib/log';

/** Time after a refused payment before the next automatic attempt. */
const REST_MS = 600_000;
/** Time to wait for a payment that another process makes. An older open payment was abandoned and is resumed. */
const WAIT_MS = 20_000;

type Plan = 'enough' | 'refused' | { wait: string } | { charge: Payment; account: Account };

/** Checks whether no gems are needed after all, while the account is locked. */
type Needless = (tx: Tx) => Promise<boolean>;

/**
 * Buys gems when a submit would take the balance below zero or below the account's threshold. Returns whether the
 * submit may be covered then; concurrent submits may spend the gems first. The payment is stored before money moves,
 * and no lock is held meanwhile.
 */
export async function autoTopUp(accountId: string, price: number, isNeedless?: Needless): Promise<boolean> {
  const plan = await planTopUp(accountId, price, isNeedless);
  if (plan === 'enough') return true;
  if (plan === 'refused') return false;
  let isPaid: boolean;
  if ('wait' in plan) isPaid = await untilSettled(plan.wait);
  else {
    const charged = charge(plan.charge, plan.account);
    // the balance covers the submit and only the threshold requires gems, so the submit need not wait for the bank
    if (plan.account.balance >= price) return true;
    isPaid = await charged;
  }
  // with gems owed, the purchase may have gone to the debt, so the balance decides
  if (isPaid && (await gemsOwed(accountId)) === 0) return true;
  const account = await findAccount(accountId);
  return account !== null && account.balance >= price;
}

function planTopUp(accountId: string, price: number, isNeedless?: Needless): Promise<Plan> {
  return db().transaction(async tx => {
    const account = await lockAccount(accountId, tx);
    const wanted = account.autoTopUp && gemsWanted(account.balance, account.autoTopUp, price);
    if (wanted === 0) return 'enough';
    if (wanted === null || !paymentProvider().isAutomatic(account)) return enoughOrNot(account, price);
    if (await isNeedless?.(tx)) return enoughOrNot(account, price);
    const earlier = await latestAutomatic(accountId, tx);
    if (earlier?.status === 'open') {
      const age = Date.now() - earlier.createdAt.getTime();
      const isOurs = earlier.provider === paymentProvider().name;
      // the current provider cannot tell the state of another provider's payment
      if (!isOurs && age < FORGOTTEN_MS) return enoughOrNot(account, price);
      if (age < WAIT_MS) return account.balance >= price ? 'enough' : { wait: earlier.id };
      // a payment with a `ref` is looked up at any age: a bank may take days, and a second debit would be paid too
      if (isOurs && (age < FORGOTTEN_MS || earlier.providerRef !== null)) return { charge: earlier, account };
      await settlePayment(earlier.id, { status: 'failed', ref: null, error: 'It was never answered.' }, tx);
    }
    if (isResting(earlier) || wanted > (await roomFor(account, tx))) return enoughOrNot(account, price);
    return await begin(account, wanted, tx);
  });
}

/** Whether auto top-up could buy the gems missing for a price, such as the total of several submits. Buys nothing. */
export async function mayTopUp(accountId: string, price: number): Promise<boolean> {
  const account = await findAccount(accountId);
  if (!account?.autoTopUp || !paymentProvider().isAutomatic(account)) return false;
  const wanted = gemsWanted(account.balance - (await gemsOwed(accountId)), account.autoTopUp, price);
  return wanted <= (await roomFor(account)) && !isResting(await latestAutomatic(accountId));
}

const isResting = (latest: Payment | undefined): boolean =>
  latest?.status === 'failed' && Date.now() - latest.createdAt.getTime() < REST_MS;

const enoughOrNot = ({ balance }: Account, price: number): Plan => (balance >= price ? 'enough' : 'refused');

async function roomFor(account: Account, tx?: Tx): Promise<number> {
  const { automatic } = await gemsPaidThisMonth(account.id, tx);
  const allowance = await readAllowance(account, tx);
  return Math.min((account.autoTopUp?.monthlyLimit ?? 0) - automatic, allowance ?? Infinity);
}

async function begin(account: Account, gems: number, tx: Tx): Promise<Plan> {
  const provider = paymentProvider();
  const { amount = null, currency = null } = provider.price(gems) ?? {};
  const fields = { accountId: account.id, provider: provider.name, purpose: 'auto_top_up', gems } as const;
  const payment = await insertPayment({ ...fields, amount, currency }, tx);
  if (provider.name !== 'manual') return { charge: payment, account };
  // `manual` involves no external service, so the payment is inserted and booked in one transaction
  await settlePayment(payment.id, await provider.charge(payment, account), tx);
  return 'enough';
}

async function latestAutomatic(accountId: string, tx: Tx = db()): Promise<Payment | undefined> {
  const [row] = await tx
    .select()
    .from(payments)
    .where(and(eq(payments.accountId, accountId), eq(payments.purpose, 'auto_top_up')))
    .orderBy(desc(payments.id))
    .limit(1);
  return row;
}

/** Charges a payment and records its state. Returns whether it was paid. */
async function charge(payment: Payment, account: Account): Promise<boolean> {
  try {
    const state = await paymentProvider().charge(payment, account);
    const settled = await settlePayment(payment.id, state);
    if (state.status === 'failed')
      log().warn({ paymentId: payment.id, reason: state.error }, 'automatic top-up refused');
    return settled?.status === 'succeeded';
  } catch (error) {
    // the payment stays open: the webhook or the next submit learns its outcome
    log().error({ paymentId: payment.id, reason: (error as Error).message }, 'automatic top-up has no answer yet');
    return false;
  }
}

/** Waits until another process has settled a payment. Returns whether it was paid. */
async function untilSettled(paymentId: string): Promise<boolean> {
  const end = Date.now() + WAIT_MS;
  while (Date.now() < end) {
    const payment = await findPayment(paymentId);
    if (payment?.status !== 'open') return payment?.status === 'succeeded';
    await pause(200);
  }
  return false;
}

/** Sets auto top-up of an account, or switches it off with null. */
export async function setAutoTopUp(accountId: string, autoTopUp: AutoTopUp | null): Promise<Account> {
  if (autoTopUp && autoTopUp.gems > autoTopUp.monthlyLimit) {
    const allowed = `at most the monthly_limit of ${autoTopUp.monthlyLimit}`;
    throw invalid('invalid_request', [mustBe('/auto_top_up/gems', allowed, autoTopUp.gems)]);
  }
  return updateAccount(accountId, { autoTopUp });
}
