import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { QUICK } from '../customer.ts';
import { openMember } from '../member.ts';
import { expect, ROUNDS, startDeployment, temporaryFolder, test, type Deployment } from './deployment.ts';

// concurrent requests; FAULT_ROUNDS trials of each race

test.describe.configure({ timeout: 120_000 + ROUNDS * 5_000 });

let folder: string;
let deployment: Deployment;
let close: () => Promise<void>;

test.beforeAll(async () => {
  folder = temporaryFolder();
  ({ deployment, close } = await startDeployment({ DATA_DIR: folder, DATABASE_URL: '', WORKER: 'off' }));
});

test.afterEach(() => deployment.checkLedger());

test.afterAll(async () => {
  await close();
  rmSync(folder, { recursive: true, force: true });
});

const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

test('32 concurrent submissions with one idempotency key create one request and one charge', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const customer = await deployment.open();
    const answers = await times(32, () => customer.post({ headers: { 'idempotency-key': 'same' } }));
    expect(answers.filter(answer => answer.status() === 202)).toHaveLength(1);
    expect(answers.filter(answer => answer.status() === 200)).toHaveLength(31);
    const ids = await Promise.all(answers.map(async answer => (await answer.json()).request_id));
    expect(new Set(ids).size).toBe(1);
    expect(await customer.balance()).toBe(10_000 - QUICK.gems);
  }
});

test('32 concurrent submissions with one idempotency key and too few gems get the same refusal', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const poor = await deployment.open({ gems: 1 });
    const answers = await times(32, () => poor.post({ headers: { 'idempotency-key': 'same' } }));
    expect(new Set(answers.map(answer => answer.status()))).toEqual(new Set([402]));
    expect(new Set(await Promise.all(answers.map(answer => answer.text()))).size).toBe(1);
  }
});

test('revoking a key and cancelling its requests leaves none live, even during concurrent submissions', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const member = await openMember(deployment);
    const { keyId } = member.customer;
    const submits = times(16, () => member.customer.post());
    const revoked = await member.page.delete(`/api/account/keys/${keyId}?cancel=true`);
    expect(revoked.status()).toBe(200);
    for (const answer of await submits) expect([202, 401]).toContain(answer.status());
    const { rows } = await deployment.pool.query(
      `select id from requests where api_key_id = $1 and status in ('queued', 'in_progress')`,
      [keyId],
    );
    expect(rows).toEqual([]);
  }
});

test('exactly 20 of 40 concurrent submissions are accepted at an in-flight limit of 20', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const customer = await deployment.open();
    const sibling = await deployment.addKey(customer);
    const answers = await times(40, index => (index % 2 ? customer : sibling).post());
    expect(answers.filter(answer => answer.status() === 202)).toHaveLength(20);
    expect(answers.filter(answer => answer.status() === 429)).toHaveLength(20);
    expect(await customer.balance()).toBe(10_000 - 20 * QUICK.gems);
  }
});

test('exactly k of n concurrent submissions are accepted when the balance suffices for k', async ({ random }) => {
  for (let round = 0; round < ROUNDS; round++) {
    const k = 1 + Math.floor(random() * 15);
    const customer = await deployment.open({ gems: k * QUICK.gems + Math.floor(random() * QUICK.gems) });
    const before = await customer.balance();
    const answers = await times(k + 10, () => customer.post());
    expect(answers.filter(answer => answer.status() === 202)).toHaveLength(k);
    expect(answers.filter(answer => answer.status() === 402)).toHaveLength(10);
    expect(await customer.balance()).toBe(before - k * QUICK.gems);
  }
});

test('when a cancellation races with the completion, the request ends consistently in one of the two states', async ({
  random,
}) => {
  const customer = await deployment.open({ gems: 100_000 });
  deployment.startWorker();
  await customer.generate();
  const begun = Date.now();
  await customer.generate();
  const typical = Date.now() - begun;
  const seen: Record<string, number> = { completed: 0, cancelled: 0 };
  for (let round = 0; round < ROUNDS * 4; round++) {
    const { request_id } = await customer.submit();
    // any moment from acceptance to after the end, with a margin: a stopped thread slows down the next generation
    await pause(random() * 3 * typical);
    const [cancel, again] = await Promise.all([customer.cancel(request_id), customer.cancel(request_id)]);
    const final = await customer.status(request_id, '?wait=20');
    seen[final.status] = (seen[final.status] ?? 0) + 1;
    expect(cancel.status()).toBe(again.status());
    expect(final.status).toBe(cancel.status() === 200 ? 'cancelled' : 'completed');
    expect(final.result === null).toBe(final.status === 'cancelled');
    expect(final.billing).not.toHaveProperty('gems_refunded');
  }
  console.log(seen);
  expect(await customer.balance()).toBe(100_000 - (ROUNDS * 4 + 2) * QUICK.gems);
  const { rows } = await deployment.pool.query(
    `select count(*)::int as outputs from media where kind = 'result' and account_id = $1`,
    [customer.accountId],
  );
  expect(rows).toEqual([{ outputs: seen.completed! + 2 }]);
});

test('40 concurrent cancellations of one request get the same response', async () => {
  const customer = await deployment.open();
  const { request_id } = await customer.submit();
  const answers = await times(40, () => customer.cancel(request_id));
  const states = await Promise.all(answers.map(answer => answer.text()));
  expect(new Set(answers.map(answer => answer.status()))).toEqual(new Set([200]));
  expect(new Set(states).size).toBe(1);
});
