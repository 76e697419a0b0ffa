import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { RequestWire } from '#lib/contract/schemas';
import { isLive } from '#lib/status';
import { QUICK, type Customer } from '../customer.ts';
import { expect, type Deployment } from './deployment.ts';

/** Clients that retry every request until it is answered, submits with the same Idempotency-Key. */
interface Load {
  /** Resolves when this many submits have been answered. */
  accepted(count: number): Promise<void>;
  /** Resolves when this many requests have been seen final. */
  finished(count: number): Promise<void>;
  /** Resolves with all requests once each is final; rejects when a client sees an answer it must never see. */
  done: Promise<RequestWire[]>;
}

/** Makes the customers submit `count` quick requests concurrently and follow them to their end. */
export function startLoad(customers: Customer[], count: number): Load {
  const answered = counter();
  const ended = counter();
  const follow = async (customer: Customer) => {
    const key = randomUUID();
    const first = await submit(customer, key);
    answered.raise();
    const final = await finish(customer, first.request_id);
    ended.raise();
    // a later retry with the same key, as after a lost answer, gets the same request
    expect((await submit(customer, key)).request_id).toBe(first.request_id);
    return final;
  };
  const clients = Array.from({ length: count }, (_, index) => follow(customers[index % customers.length]!));
  const done = Promise.all(clients);
  done.catch(() => {});
  return { accepted: answered.reached, finished: ended.reached, done };
}

async function submit(customer: Customer, key: string): Promise<RequestWire> {
  for (;;) {
    const response = await customer.post({ headers: { 'idempotency-key': key } }).catch(() => null);
    if (response?.ok()) return await response.json();
    if (response) expect([429, 409, 500]).toContain(response.status());
    await pause(100);
  }
}

async function finish({ api }: Customer, id: string): Promise<RequestWire> {
  for (;;) {
    const response = await api.get(`/v1/requests/${id}/status?wait=10`).catch(() => null);
    if (response?.ok()) {
      const state = (await response.json()) as RequestWire;
      if (!isLive(state.status)) return state;
    } else {
      if (response) expect(response.status()).toBe(500);
      await pause(100);
    }
  }
}

function counter() {
  let count = 0;
  const waiting: { target: number; resolve: () => void }[] = [];
  return {
    raise() {
      count += 1;
      for (const { target, resolve } of waiting) if (count >= target) resolve();
    },
    reached: (target: number) =>
      new Promise<void>(resolve => (count >= target ? resolve() : waiting.push({ target, resolve }))),
  };
}

/** Expects every request to be final and charged once, failed ones to be refunded once, and the ledger to hold. */
export async function expectSettled(
  deployment: Deployment,
  customers: Customer[],
  finals: RequestWire[],
): Promise<void> {
  expect(new Set(finals.map(({ request_id }) => request_id)).size).toBe(finals.length);
  const { rows } = await deployment.pool.query<{
    requests: number;
    live: number;
    charges: number;
    refunds: number;
    failed: number;
  }>(
    `select count(*)::int as requests, count(*) filter (where status in ('queued', 'in_progress'))::int as live,
      count(*) filter (where status = 'failed')::int as failed,
      (select count(*)::int from ledger where kind = 'charge') as charges, (select count(*)::int from ledger where kind = 'refund') as refunds
    from requests`,
  );
  const failed = finals.filter(({ status }) => status === 'failed').length;
  expect(rows[0]).toEqual({ requests: finals.length, live: 0, charges: finals.length, refunds: failed, failed });
  const spent = (finals.length - failed) * QUICK.gems;
  const balances = await Promise.all(customers.map(customer => customer.balance()));
  expect(balances.reduce((sum, balance) => sum + balance, 0)).toBe(customers.length * 10_000 - spent);
  await deployment.checkLedger();
}
