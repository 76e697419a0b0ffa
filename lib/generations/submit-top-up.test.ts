import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { createApiKey } from '#lib/accounts/api-keys';
import { verifyApiKey, type Caller } from '#lib/accounts/callers';
import { COMMAND_LINE } from '#lib/accounts/audit';
import { setAutoTopUp } from '#lib/accounts/auto-top-up';
import { changeAccount } from '#lib/accounts/govern';
import { checkLedger } from '#lib/ledger-check/check-ledger';
import { listLedger, readBalance } from '#lib/accounts/ledger';
import { listPayments } from '#lib/accounts/payments/payments';
import { accountWith } from '#lib/accounts/test-callers';
import { topUp } from '#lib/accounts/top-up';
import { gemsWanted } from '#lib/contract/gems-wanted';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import type { AutoTopUp } from '#lib/db/schema';
import { admitWhole } from '#lib/generations/admit';
import { submitGeneration } from '#lib/generations/submit';
import { newId } from '#lib/ids';
import { begin, commitWhenWaitedFor } from '#lib/life/test-requests';

await useOwnDatabase();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-top-up-'));
process.env.LOG_LEVEL = 'silent';

const PRICE = 19;
const SETTINGS: AutoTopUp = { threshold: 0, gems: 25, monthlyLimit: 1_000 };

/** Creates an account that may book `limit` gems a month on its statement. */
async function open({
  gems = 0,
  limit = 1_000,
  settings = SETTINGS,
  budget = null as number | null,
  inFlightLimit = 100,
} = {}) {
  const { id } = await createAccount({ email: `${newId()}@example.com`, gems });
  await changeAccount(COMMAND_LINE, id, { topUpLimit: limit, inFlightLimit });
  await setAutoTopUp(id, settings);
  const { key } = await createApiKey(id, { name: 'x', monthlyBudget: budget });
  const submit = async (idempotencyKey?: string) => {
    const caller = await verifyApiKey(key);
    if (!caller) throw new Error('the key does not open');
    const body = async () => ({ prompt: 'soft rain on a tin roof' });
    return submitGeneration({ caller, architectureId: 'seed_audio', idempotencyKey, body });
  };
  const movements = async () => (await listLedger(id)).data.map(({ kind, gems }) => [kind, gems]).toReversed();
  return { id, submit, movements };
}

test('a submit without enough gems tops up first and is accepted', async () => {
  const { id, submit, movements } = await open();
  await submit();
  expect(await movements()).toEqual([
    ['top_up', 25],
    ['charge', -PRICE],
  ]);
  expect(await readBalance(id)).toBe(25 - PRICE);
});

test('a submit tops up only if it would leave less than the threshold', async () => {
  const { movements, submit } = await open({ gems: 60, settings: { ...SETTINGS, threshold: 30 } });
  await submit();
  await submit();
  expect((await movements()).map(([kind]) => kind)).toEqual(['opening', 'charge', 'top_up', 'charge']);
});

test.each([
  [100, 0, 20, 0],
  [20, 0, 20, 0],
  [19, 0, 20, 25],
  [0, 0, 25, 25],
  [0, 0, 26, 50],
  [40, 30, 20, 25],
  [50, 30, 20, 0],
])('a balance of %i with a threshold of %i and a price of %i buys %i gems', (balance, threshold, price, wanted) => {
  expect(gemsWanted(balance, { threshold, gems: 25 }, price)).toBe(wanted);
});

test.each([
  ['the operator', { limit: 25 }],
  ['the account', { settings: { ...SETTINGS, monthlyLimit: 25 } }],
])(
  'a submit beyond the monthly limit of %s is refused, also when replayed, until the month is over',
  async (_, options) => {
    const { id, submit, movements } = await open(options);
    await submit();
    const refused = await submit('key').catch(error => error);
    expect(refused).toMatchObject({ code: 'insufficient_gems', extra: { gems_required: PRICE } });
    const again = await submit('key').catch(error => error);
    expect(again.extra).toEqual(refused.extra);
    expect((await movements()).map(([kind]) => kind)).toEqual(['top_up', 'charge']);
    await pool().query(`update payments set created_at = created_at - interval '32 days' where account_id = $1`, [id]);
    await submit();
    expect((await movements()).map(([kind]) => kind)).toEqual(['top_up', 'charge', 'top_up', 'charge']);
  },
);

test('the month of the limit follows the clock of the database, not that of the process', async () => {
  const { submit, movements } = await open({ limit: 30 });
  await submit();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 40 * 86_400_000 });
  await expect(submit().finally(() => vi.useRealTimers())).rejects.toMatchObject({ code: 'insufficient_gems' });
  expect((await movements()).map(([kind]) => kind)).toEqual(['top_up', 'charge']);
});

test('forty concurrent submits are all paid for by automatic top-ups, which buy no more gems than needed', async () => {
  const { id, submit } = await open();
  const done = await Promise.allSettled(Array.from({ length: 40 }, (_, n) => submit(`key ${n}`)));
  expect(done.filter(({ status }) => status === 'rejected')).toEqual([]);
  const bought = (await pool().query('select sum(gems)::int as gems from payments where account_id = $1', [id])).rows[0]
    .gems;
  expect(await readBalance(id)).toBe(bought - 40 * PRICE);
  // gems are only bought when less than one price is left
  expect(bought - 40 * PRICE).toBeLessThan(PRICE + 25);
});

test.each([
  ['a budget that it is beyond', { budget: PRICE - 1 }, 'insufficient_gems', /monthly budget/],
  ['a limit in flight', { inFlightLimit: 0 }, 'too_many_requests', /allows this account no generation in flight/],
])('a submit that is refused for %s buys no gems', async (_, limits, code, message) => {
  const settings = { ...SETTINGS, threshold: 500 };
  for (const gems of [0, PRICE, 400]) {
    const { submit, movements } = await open({ gems, settings, ...limits });
    await expect(submit()).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    expect((await movements()).filter(([kind]) => kind === 'top_up')).toEqual([]);
  }
});

test('several requests are admitted together if auto top-up can buy the missing gems, which are not bought yet', async () => {
  const { id, movements } = await open({ limit: 75 });
  const caller = { ...(await accountWith(0)), accountId: id, autoTopUp: true };
  const admit = (gems: number, more: Partial<Caller> = {}) => admitWhole({ ...caller, ...more }, { gems });
  const refusal = { code: 'insufficient_gems' };
  await expect(admit(60, { monthlyBudget: 59 })).rejects.toMatchObject(refusal);
  await expect(admit(60, { autoTopUp: false })).rejects.toMatchObject(refusal);
  await expect(admit(76)).rejects.toMatchObject(refusal);
  await admit(75);
  await setAutoTopUp(id, { ...SETTINGS, monthlyLimit: 50 });
  await expect(admit(75)).rejects.toMatchObject(refusal);
  await setAutoTopUp(id, null);
  await expect(admit(1)).rejects.toMatchObject(refusal);
  expect(await movements()).toEqual([]);
});

test('a submit buys no gems when another process answers its idempotency key in the meantime', async () => {
  const { id, submit, movements } = await open({ gems: PRICE });
  const { generation } = await submit();
  const elsewhere = await begin();
  await elsewhere.query('select from accounts where id = $1 for no key update', [id]);
  await elsewhere.query(
    `insert into submissions (scope, key, request_id) select id, 'key', $2 from api_keys where account_id = $1`,
    [id, generation.id],
  );
  const again = submit('key');
  await commitWhenWaitedFor(elsewhere);
  expect(await again).toMatchObject({ replayed: true, generation: { id: generation.id } });
  expect(await movements()).toEqual([
    ['opening', PRICE],
    ['charge', -PRICE],
  ]);
});

test('a manual top-up is booked up to the limit that the operator has set', async () => {
  const { id } = await open({ limit: 30 });
  expect(await topUp(id, 30)).toMatchObject({ url: null, payment: { status: 'succeeded', gems: 30 } });
  await expect(topUp(id, 1)).rejects.toMatchObject({ code: 'forbidden' });
  expect(await readBalance(id)).toBe(30);
});

test('an open card payment is never booked after the deployment has changed to statements', async () => {
  const { id, submit, movements } = await open();
  const statuses = async () => (await listPayments(id)).data.map(({ provider, status }) => [provider, status]);
  const age = (interval: string) =>
    pool().query('update payments set created_at = now() - $2::interval where account_id = $1', [id, interval]);
  await pool().query(
    `insert into payments (id, account_id, provider, purpose, gems, provider_ref)
    values (gen_random_uuid(), $1, 'stripe', 'auto_top_up', 25, 'pi_' || $1::uuid)`,
    [id],
  );
  for (const interval of ['1 second', '1 minute']) {
    await age(interval);
    await expect(submit()).rejects.toMatchObject({ code: 'insufficient_gems' });
  }
  expect(await statuses()).toEqual([['stripe', 'open']]);
  // after this time, the open payment no longer blocks another one
  await age('21 hours');
  await submit();
  expect(await movements()).toEqual([
    ['top_up', 25],
    ['charge', -PRICE],
  ]);
  expect(await statuses()).toEqual(
    expect.arrayContaining([
      ['stripe', 'failed'],
      ['manual', 'succeeded'],
    ]),
  );
});

test('repeating a top-up that was left unpaid at Stripe does not book it on the statement', async () => {
  const { id, movements } = await open();
  await pool().query(
    `insert into payments (id, account_id, provider, purpose, gems, key)
    values (gen_random_uuid(), $1, 'stripe', 'top_up', 25, 'key')`,
    [id],
  );
  expect(await topUp(id, 25, 'key')).toMatchObject({ payment: { provider: 'stripe', status: 'open' }, url: null });
  expect(await movements()).toEqual([]);
});

test('the ledger is consistent after all these tests', async () => {
  expect((await checkLedger()).filter(report => !report.ok)).toEqual([]);
});
