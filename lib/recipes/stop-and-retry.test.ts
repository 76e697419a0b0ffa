import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { COMMAND_LINE } from '#lib/accounts/audit';
import { setAutoTopUp } from '#lib/accounts/auto-top-up';
import { changeAccount } from '#lib/accounts/govern';
import { readBalance } from '#lib/accounts/ledger';
import { keyFor } from '#lib/accounts/test-callers';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { cancelGeneration } from '#lib/generations/cancel';
import { removeGeneration } from '#lib/generations/remove';
import { begin, commitWhenWaitedFor } from '#lib/life/test-requests';
import { makeAv } from '#lib/media/media-test-files';
import { changeArchitecture } from '#lib/operator/architectures';
import { advanceRun } from '#lib/recipes/advance';
import { cancelRun, retryRun } from '#lib/recipes/stop-and-retry';
import { complete, fail, grow, live, read, someone, start, STILL, WHOLE, work } from '#lib/recipes/test-runs';

await useOwnDatabase();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-recipe-retries-'));
process.env.LOG_LEVEL = 'silent';

beforeEach(() => pool().query('delete from outbox'));

test('a failed request is refunded, and a retry makes only that request again', async () => {
  const caller = await someone();
  const { run } = await start(caller);
  await work();
  await grow(run.id);
  const [first, second] = live(await read(run.id));
  await fail(first!.request_id);
  await work();
  // the run continues while its other request may still succeed
  expect(await read(run.id)).toMatchObject({ status: 'running' });
  await complete(second!.request_id);
  await work();
  const failed = await read(run.id);
  expect(failed).toMatchObject({
    status: 'failed',
    error: { code: 'generation_failed', message: 'The engine broke.', step: 'stills' },
    steps: [{ status: 'completed' }, { status: 'failed', completed: 1 }],
    billing: { gems_charged: WHOLE, gems_refunded: STILL, gems_missing: STILL },
  });
  expect(await readBalance(caller.accountId)).toBe(1000 - WHOLE + STILL);

  await expect(retryRun(caller, run.id, STILL - 1)).rejects.toMatchObject({ code: 'price_above_limit' });
  await retryRun(caller, run.id, STILL);
  await expect(retryRun(caller, run.id)).rejects.toMatchObject({ code: 'run_live' });
  await work();
  expect(live(await read(run.id))).toMatchObject([{ prompt: first!.prompt }]);
  await grow(run.id);
  expect(await read(run.id)).toMatchObject({ status: 'completed', steps: [{}, { completed: 2 }] });
  expect(await readBalance(caller.accountId)).toBe(1000 - WHOLE);
  await expect(retryRun(caller, run.id)).rejects.toMatchObject({ code: 'run_finished' });
  await expect(cancelRun(caller.accountId, run.id)).rejects.toMatchObject({ code: 'run_finished' });
});

test('a retry uses current prices, which the run shows even after a refused retry', async () => {
  const caller = await someone();
  const { run } = await start(caller);
  await work();
  await grow(run.id);
  for (const { request_id } of live(await read(run.id))) await fail(request_id);
  await work();
  // as if the model had cost less, then more, when the run started
  const began = (gems: number) =>
    pool().query(
      `update recipe_runs set prices = jsonb_build_array(prices -> 0, jsonb_build_array($2::int, $2)) where id = $1`,
      [run.id, gems],
    );
  await began(STILL - 1);
  await expect(retryRun(caller, run.id, 2 * STILL - 1)).rejects.toMatchObject({ code: 'price_above_limit' });
  expect(await read(run.id)).toMatchObject({ status: 'failed', billing: { gems_missing: 2 * STILL } });
  await began(1000);
  await retryRun(caller, run.id, 2 * STILL);
  await work();
  await grow(run.id);
  expect(await read(run.id)).toMatchObject({ status: 'completed', billing: { gems_estimated: WHOLE } });
});

test('a retry with a retired architecture is refused immediately with that reason', async () => {
  const caller = await someone();
  const { run } = await start(caller);
  await work();
  await fail(live(await read(run.id))[0]!.request_id);
  await work();
  onTestFinished(async () => void (await changeArchitecture(COMMAND_LINE, 'mango', 'live')));
  await changeArchitecture(COMMAND_LINE, 'mango', 'retired');
  await expect(retryRun(caller, run.id)).rejects.toMatchObject({ code: 'architecture_retired' });
  expect(await read(run.id)).toMatchObject({ status: 'failed' });
});

test('a result that is deleted while its run continues is made again only by a retry', async () => {
  const caller = await someone();
  const { run } = await start(caller);
  await work();
  const [lineup] = live(await read(run.id));
  await complete(lineup!.request_id);
  await removeGeneration(caller.accountId, lineup!.request_id);
  await work();
  expect(await read(run.id)).toMatchObject({ status: 'failed', error: { code: 'invalid_config', step: 'stills' } });
  await retryRun(caller, run.id);
  await work();
  await grow(run.id);
  // the stills already have the new line-up as input, so deleting it now does not add to the price
  await removeGeneration(caller.accountId, (await read(run.id)).steps[0]!.requests[0]!.request_id);
  await grow(run.id);
  expect(await read(run.id)).toMatchObject({ status: 'completed', billing: { gems_charged: WHOLE + STILL } });
});

test.each([
  ['does not end its retry', 'attempt = attempt + 1', 'running'],
  ['leaves it cancelled', `status = 'cancelled'`, 'cancelled'],
])('a worker that is slow to end a run %s', async (_, set, status) => {
  const { run } = await start(await someone());
  await work();
  await fail(live(await read(run.id))[0]!.request_id);
  // after the worker has read the run and before it ends it, the run is cancelled, or ended elsewhere and retried
  const others = await begin();
  await others.query(`update recipe_runs set ${set} where id = $1`, [run.id]);
  const ending = work();
  await commitWhenWaitedFor(others);
  await ending;
  expect(await read(run.id)).toMatchObject({ status });
});

test('a retry is charged to the key that requests it', async () => {
  const caller = await someone();
  const { run } = await start(caller);
  await cancelRun(caller.accountId, run.id);
  const other = await keyFor(caller.accountId);
  await retryRun(other, run.id);
  await work();
  expect((await pool().query('select api_key_id as by from requests where run_id = $1', [run.id])).rows).toEqual([
    { by: other.keyId },
  ]);
});

test('the slower of two concurrent retries changes nothing if the retry of the other has already ended', async () => {
  const caller = await someone();
  const { run } = await start(caller);
  await cancelRun(caller.accountId, run.id);
  const others = await begin();
  await others.query('update recipe_runs set attempt = attempt + 1 where id = $1', [run.id]);
  const again = retryRun(caller, run.id);
  await commitWhenWaitedFor(others);
  expect(await again).toMatchObject({ status: 'cancelled', attempt: run.attempt + 1 });
});

test('a cancelled run submits nothing more, late submissions are refunded, and a retry continues the run', async () => {
  const caller = await someone();
  const { run } = await start(caller);
  await work();
  await cancelRun(caller.accountId, run.id);
  expect(await cancelRun(caller.accountId, run.id)).toMatchObject({ status: 'cancelled' });
  await work();
  expect(await read(run.id)).toMatchObject({
    status: 'cancelled',
    steps: [
      { status: 'cancelled', requests: [{ status: 'cancelled' }] },
      { status: 'waiting', requests: [] },
    ],
    billing: { gems_charged: STILL, gems_refunded: 0 },
  });
  await retryRun(caller, run.id);
  // after the worker has read the run and before it submits, the run is cancelled, retried and cancelled again
  await pool().query(
    `create function cancel_run() returns trigger language plpgsql as $$ begin
      update recipe_runs set status = 'cancelled', attempt = attempt + 1 where id = new.run_id; return new; end $$`,
  );
  await pool().query('create trigger cancel_run after insert on requests for each row execute function cancel_run()');
  await work();
  await pool().query('drop function cancel_run cascade');
  expect(await read(run.id)).toMatchObject({ billing: { gems_charged: 2 * STILL, gems_refunded: STILL } });
  expect(live(await read(run.id))).toEqual([]);
  // as if a worker had crashed after the submit and before it read the run again
  await pool().query(`update requests set status = 'queued', finished_at = null where run_id = $1 and not refunded`, [
    run.id,
  ]);
  await advanceRun(run.id);
  expect(await read(run.id)).toMatchObject({ billing: { gems_charged: 2 * STILL, gems_refunded: 2 * STILL } });
});

test('requests submitted while their run is being cancelled count as missing and are refunded by a worker', async () => {
  const caller = await someone();
  const { run } = await start(caller);
  await work();
  const put = (set: string) => pool().query(`update requests set ${set} where run_id = $1`, [run.id]);
  // hidden from the cancellation, as a request that is not committed yet
  await put(`status = 'completed', finished_at = now()`);
  await cancelRun(caller.accountId, run.id);
  await put(`status = 'queued', finished_at = null`);
  expect(await read(run.id)).toMatchObject({ status: 'cancelled', billing: { gems_missing: WHOLE } });
  await work();
  expect(live(await read(run.id))).toEqual([]);
  expect(await readBalance(caller.accountId)).toBe(1000);
});

test('cancelling one request of a run cancels the run', async () => {
  const caller = await someone();
  const { run } = await start(caller);
  await work();
  await cancelGeneration(caller.accountId, live(await read(run.id))[0]!.request_id);
  await work();
  expect(await read(run.id)).toMatchObject({ status: 'cancelled' });
});

test('a retry after a price rise uses the video already fetched when its URL no longer works', async () => {
  const caller = await someone(9000);
  const film = `data:video/mp4;base64,${(await makeAv('mp4', { seconds: 3 })).toString('base64')}`;
  const { run } = await start(caller, { film, music: 'a piano', scene: 'rain' }, { recipe: 'score_video' });
  await work();
  await grow(run.id);
  const [scored] = live(await read(run.id));
  // as if the video had been given by URL
  await pool().query(
    `update recipe_runs set "values" = replace("values"::text, $2, $3)::jsonb, prices = jsonb_set(prices, '{1,0}', '1') where id = $1`,
    [run.id, run.values.film, 'https://gone.invalid/film.mp4'],
  );
  await fail(scored!.request_id);
  await work();
  await retryRun(caller, run.id);
  await work();
  expect(await read(run.id)).toMatchObject({ status: 'running', error: null });
  expect(live(await read(run.id))).toHaveLength(1);
});

test('with auto top-up on, a run starts or is retried if the missing gems can be bought, and its requests buy them', async () => {
  const caller = { ...(await someone(WHOLE - 1)), autoTopUp: true };
  const { accountId } = caller;
  const allow = (topUpLimit: number) => changeAccount(COMMAND_LINE, accountId, { topUpLimit });
  await setAutoTopUp(accountId, { threshold: 0, gems: 10, monthlyLimit: 1000 });
  await allow(0);
  const insufficient = { code: 'insufficient_gems', extra: { gems_required: WHOLE } };
  await expect(start(caller)).rejects.toMatchObject(insufficient);
  await allow(10);
  const { run } = await start(caller);
  expect(await readBalance(accountId)).toBe(WHOLE - 1);
  await cancelRun(accountId, run.id);
  await pool().query('update accounts set balance = 0 where id = $1', [accountId]);
  await expect(retryRun(caller, run.id)).rejects.toMatchObject(insufficient);
  await allow(1000);
  await retryRun(caller, run.id);
  expect(await readBalance(accountId)).toBe(0);
  await work();
  for (let step = 0; step < 2; step++) await grow(run.id);
  expect(await read(run.id)).toMatchObject({ status: 'completed' });
});

test('cancelling a request that was in progress before a retry cancels the run', async () => {
  const caller = await someone();
  const { run } = await start(caller);
  await work();
  await grow(run.id);
  const [first, second] = live(await read(run.id));
  await fail(first!.request_id);
  await pool().query(`update recipe_runs set status = 'failed' where id = $1`, [run.id]);
  await retryRun(caller, run.id, STILL);
  await cancelGeneration(caller.accountId, second!.request_id);
  await work();
  await grow(run.id);
  expect(await read(run.id)).toMatchObject({ status: 'cancelled', billing: { gems_charged: 4 * STILL } });
});

test('requests still in progress are neither missing nor charged again', async () => {
  const caller = await someone();
  const { run } = await start(caller);
  await work();
  await grow(run.id);
  const [first] = live(await read(run.id));
  await pool().query(`update recipe_runs set status = 'failed' where id = $1`, [run.id]);
  expect(await read(run.id)).toMatchObject({ billing: { gems_missing: 0 } });
  await fail(first!.request_id);
  expect(await read(run.id)).toMatchObject({ billing: { gems_missing: STILL } });
  await retryRun(caller, run.id, STILL);
});

test('a run of another account can be neither cancelled nor retried', async () => {
  const { run } = await start(await someone());
  const other = await someone();
  await expect(cancelRun(other.accountId, run.id)).rejects.toMatchObject({ code: 'run_not_found' });
  await expect(retryRun(other, run.id)).rejects.toMatchObject({ code: 'run_not_found' });
  await expect(retryRun(other, 'no-id')).rejects.toMatchObject({ code: 'run_not_found' });
});
