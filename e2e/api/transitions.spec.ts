import { isLive } from '#lib/status';
import { QUICK, refusal } from '../customer.ts';
import { expect, test } from '../fixtures.ts';

// one test for each row of the table of states and transitions

/** A generation that takes minutes on any machine, so that it runs while the test needs it. */
const LONG = {
  architecture: 'cherry',
  body: { prompt: 'a storm over the sea', model_id: 'cherry-2-pro', resolution: '1080p', duration: '30' },
};

test('(none) → in_progress: accepted while the engine has a free slot', async ({ idle }) => {
  await idle.pretendSlots(1);
  const customer = await idle.open();
  const first = await customer.submit();
  expect(first).toMatchObject({ status: 'in_progress', result: null, error: null });
  expect(await customer.balance()).toBe(10_000 - QUICK.gems);
  const second = await customer.submit();
  expect(second).toMatchObject({ status: 'queued', result: null, error: null });
});

test('(none) → queued: a free slot that a waiting request will take is not free for a new one', async ({ idle }) => {
  const customer = await idle.open();
  const first = await customer.submit();
  // as between the end of one request and the start of the next
  await idle.pretendSlots(1);
  const second = await customer.submit();
  expect([first.status, second.status]).toEqual(['queued', 'queued']);
  expect((await customer.status(second.request_id)).queue_position).toBe(2);
});

test('(none) → queued: accepted while the engine has no free slot, with the place in the queue', async ({ idle }) => {
  const customer = await idle.open();
  const accepted = [await customer.submit(), await customer.submit(), await customer.submit()];
  for (const [index, { request_id, status }] of accepted.entries()) {
    expect(status).toBe('queued');
    expect((await customer.status(request_id)).queue_position).toBe(index + 1);
  }
  await customer.cancel(accepted[0]!.request_id);
  expect((await customer.status(accepted[2]!.request_id)).queue_position).toBe(2);
});

test('queued → in_progress → completed: a worker runs the request and its result is set', async ({ idle }) => {
  const customer = await idle.open();
  const accepted = await customer.submit();
  expect(accepted.status).toBe('queued');
  idle.startWorker();
  const final = await customer.finish(accepted);
  expect(final).toMatchObject({
    status: 'completed',
    error: null,
    billing: { mode: 'gems', gems_charged: QUICK.gems },
  });
  expect(final.result).toMatchObject({ type: 'audio' });
  expect(final.billing).not.toHaveProperty('gems_refunded');
  expect(final.updated_at > accepted.updated_at).toBe(true);
  expect(await customer.balance()).toBe(10_000 - QUICK.gems);
});

test('in_progress → failed: the error is set and the gems are refunded once, also to the budget of the key', async ({
  idle,
}) => {
  const customer = await idle.open({ monthlyBudget: QUICK.gems });
  const accepted = await customer.submit();
  // an input that no longer exists when the engine needs it
  await idle.pool.query(
    `update requests set inputs = jsonb_build_array(jsonb_build_object('role', 'reference', 'mediaId', gen_random_uuid())) where id = $1`,
    [accepted.request_id],
  );
  idle.startWorker();
  const final = await customer.finish(accepted);
  expect(final).toMatchObject({
    status: 'failed',
    result: null,
    error: { code: 'generation_failed', message: expect.stringMatching(/refunded\.$/) },
    billing: { mode: 'gems', gems_charged: QUICK.gems, gems_refunded: QUICK.gems },
  });
  expect(await customer.balance()).toBe(10_000);
  const { data } = await (await customer.api.get('/v1/account/ledger')).json();
  const kinds = data.map(({ kind, gems }: { kind: string; gems: number }) => [kind, gems]);
  expect(kinds).toEqual([
    ['refund', QUICK.gems],
    ['charge', -QUICK.gems],
    ['opening', 10_000],
  ]);

  // cancelling a failed request changes nothing
  await refusal(await customer.cancel(accepted.request_id), 409, 'request_finished');
  expect(await customer.status(accepted.request_id)).toEqual(final);
  await customer.submit();
});

test('queued → cancelled: immediately, without a refund', async ({ idle }) => {
  const customer = await idle.open();
  const { request_id } = await customer.submit();
  const response = await customer.cancel(request_id);
  expect(response.status()).toBe(200);
  const cancelled = await response.json();
  expect(cancelled).toMatchObject({ status: 'cancelled', result: null, error: null });
  expect(cancelled.billing).toEqual({ mode: 'gems', gems_charged: QUICK.gems });
  expect(await customer.status(request_id)).toEqual(cancelled);
  expect(await customer.balance()).toBe(10_000 - QUICK.gems);

  // a worker that starts later does not run the request
  const other = await customer.submit();
  idle.startWorker();
  await customer.finish(other);
  expect(await customer.status(request_id)).toEqual(cancelled);
});

test('in_progress → cancelled: the engine stops and its slot is free again', async ({ idle }) => {
  const customer = await idle.open({ gems: 100_000 });
  const long = await customer.submit(LONG);
  idle.startWorker({ WORKER_CONCURRENCY: '1' });
  // progress is reported by the engine, so it is rendering
  const progress = async () => (await customer.status(long.request_id)).progress ?? 0;
  await expect.poll(progress, { timeout: 25_000 }).toBeGreaterThan(0);
  const next = await customer.submit();
  expect(next.status).toBe('queued');

  const response = await customer.cancel(long.request_id);
  const cancelled = await response.json();
  expect(cancelled).toMatchObject({ status: 'cancelled', result: null, error: null });
  expect(cancelled).not.toHaveProperty('progress');
  // there is one slot, so this request completes only if the long one was stopped
  expect(await customer.finish(next)).toMatchObject({ status: 'completed' });
  expect(await customer.status(long.request_id)).toEqual(cancelled);
  expect(await customer.balance()).toBe(100_000 - long.billing.gems_charged - QUICK.gems);
});

test('cancelled → cancelled: cancelling again changes nothing', async ({ idle }) => {
  const customer = await idle.open();
  const { request_id } = await customer.submit();
  const first = await (await customer.cancel(request_id)).json();
  const second = await customer.cancel(request_id);
  expect(second.status()).toBe(200);
  expect(await second.json()).toEqual(first);
});

test('completed → POST cancel: 409 request_finished, unchanged', async ({ customer }) => {
  const final = await customer.generate();
  await refusal(await customer.cancel(final.request_id), 409, 'request_finished');
  expect(await customer.status(final.request_id)).toMatchObject({ status: 'completed', result: final.result });
});

test('a final state never changes', async ({ customer }) => {
  const final = await customer.generate();
  expect(isLive(final.status)).toBe(false);
  expect(await customer.status(final.request_id, '?wait=1')).toEqual(final);
  const again = await customer.detail(final.request_id);
  expect(again).toMatchObject({ status: 'completed', updated_at: final.updated_at });
});
