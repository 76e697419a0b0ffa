import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { createApiKey } from '#lib/accounts/api-keys';
import { verifyApiKey } from '#lib/accounts/callers';
import { mayTopUp, setAutoTopUp } from '#lib/accounts/auto-top-up';
import { COMMAND_LINE } from '#lib/accounts/audit';
import { changeAccount } from '#lib/accounts/govern';
import { readBalance } from '#lib/accounts/ledger';
import { listPayments } from '#lib/accounts/payments/payments';
import { noteReversal } from '#lib/accounts/payments/reversals';
import { setStripeStage } from '#lib/accounts/payments/stripe-test-stage';
import { pool } from '#lib/db/client';
import { submitGeneration } from '#lib/generations/submit';
import { newId } from '#lib/ids';

await setStripeStage();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-by-card-'));

const PRICE = 19;

/** Creates an account whose card is charged for `gems` with each top-up. Returns its id and a function that submits. */
async function cardHolder(gems: number) {
  const { id } = await createAccount({ email: `${newId()}@example.com`, gems: 0 });
  await changeAccount(COMMAND_LINE, id, { inFlightLimit: 100 });
  await pool().query(
    `update accounts set stripe_customer = 'cus_1', stripe_method = '{"id":"pm_1","label":"visa …4242"}' where id = $1`,
    [id],
  );
  await setAutoTopUp(id, { threshold: 0, gems, monthlyLimit: 100 * PRICE });
  const { key } = await createApiKey(id, { name: 'x' });
  const submit = async (idempotencyKey: string) => {
    const caller = await verifyApiKey(key);
    if (!caller) throw new Error('the key does not open');
    const body = async () => ({ prompt: 'soft rain on a tin roof' });
    return submitGeneration({ caller, architectureId: 'seed_audio', idempotencyKey, body });
  };
  return { id, submit };
}

test('twenty concurrent submits are all paid for by card, in four top-ups', async () => {
  const { id, submit } = await cardHolder(5 * PRICE);
  const done = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => submit(`key ${n}`)));
  expect(done.filter(({ status }) => status === 'rejected')).toEqual([]);
  expect((await listPayments(id)).data.map(({ status }) => status)).toEqual(Array(4).fill('succeeded'));
  expect(await readBalance(id)).toBe(0);
});

/** Creates a card holder who owes the price of five submits, because their payment was refunded afterwards. */
async function debtor() {
  const { id, submit } = await cardHolder(5 * PRICE);
  for (let n = 0; n < 5; n++) await submit(`spent ${n}`);
  const [payment] = (await listPayments(id)).data;
  const { id: paymentId, amount } = payment!;
  await noteReversal({
    ref: `re_${paymentId}`,
    paymentId,
    kind: 'refund',
    amount: amount!,
    over: false,
    at: new Date(),
  });
  return { id, submit };
}

test('a card is charged only once for a submit when the gems that it buys go towards a debt', async () => {
  const { id, submit } = await debtor();
  await setAutoTopUp(id, { threshold: 0, gems: PRICE, monthlyLimit: 100 * PRICE });
  await expect(submit('one more')).rejects.toMatchObject({ code: 'insufficient_gems' });
  expect((await listPayments(id)).data).toHaveLength(2);
});

test('several submits are admitted together only if the monthly limit also covers the debt', async () => {
  const { id } = await debtor();
  const allow = (submits: number) => setAutoTopUp(id, { threshold: 0, gems: PRICE, monthlyLimit: submits * PRICE });
  // five submits were paid for this month, five are owed, and five are requested
  await allow(14);
  expect(await mayTopUp(id, 5 * PRICE)).toBe(false);
  await allow(15);
  expect(await mayTopUp(id, 5 * PRICE)).toBe(true);
});
