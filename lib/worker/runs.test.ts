import { afterAll, expect, test } from 'vitest';
import { accountWith } from '#lib/accounts/test-callers';
import { useOwnDatabase } from '#lib/db/test-database';
import { newId } from '#lib/ids';
import type { Claim } from '#lib/life/claim';
import { readFrame } from '#lib/life/frames';
import { submitAndClaim } from '#lib/life/test-requests';
import { Runs } from '#lib/worker/runs';

await useOwnDatabase();
process.env.LOG_LEVEL = 'silent';

const runs = new Runs();
afterAll(() => runs.close());

const claimed = (id: string, claim = 1) => ({ id, claim }) as Claim;

/** Begins to work on a claim; returns whether it was stopped, and a way to end it. */
function begin(claim: Claim) {
  const { promise, resolve: end } = Promise.withResolvers<void>();
  let signal: AbortSignal | undefined;
  const ended = runs.begin(claim, stop => {
    signal = stop;
    return promise;
  });
  return { isStopped: () => signal!.aborted, end: () => (end(), ended) };
}

const later = () => performance.now() + 1;

test('a run whose claim is no longer held is stopped, unless it began after the query', async () => {
  const asked = performance.now();
  const [old, fresh] = [begin(claimed('old')), begin(claimed('fresh'))];
  expect(runs.compare([], asked)).toEqual([]);
  expect(old.isStopped()).toBe(false);
  runs.compare([claimed('fresh')], later());
  expect([old.isStopped(), fresh.isStopped()]).toEqual([true, false]);
  await Promise.all([old.end(), fresh.end()]);
});

test('a held claim without a run is given back, unless its run starts in the meantime', async () => {
  const [lost, coming] = [claimed('lost'), claimed('coming')];
  expect(runs.compare([lost, coming], later())).toEqual([]);
  const run = begin(coming);
  expect(runs.compare([lost, coming], later())).toEqual([lost]);
  expect(run.isStopped()).toBe(false);
  await run.end();
});

test('a run for an earlier claim does not count as a run for the held one', async () => {
  const earlier = begin(claimed('again', 1));
  const held = [claimed('again', 2)];
  expect(runs.compare(held, later())).toEqual([]);
  expect(runs.compare(held, later())).toEqual(held);
  await earlier.end();
});

test('a run for a new claim stops the earlier run, whose late reports stop no other run', async () => {
  const [id, elsewhere] = [newId(), claimed(newId())];
  const first = claimed(id, 1);
  const [earlier, other, later] = [begin(first), begin(elsewhere), begin(claimed(id, 2))];
  expect([earlier.isStopped(), later.isStopped()]).toEqual([true, false]);
  // neither claim is in the database, so both are lost
  for (const lost of [first, elsewhere]) runs.note(lost, { state: 'running', progress: 0.5 });
  await expect.poll(other.isStopped).toBe(true);
  expect(later.isStopped()).toBe(false);
  await earlier.end();
  runs.stop(id);
  expect(later.isStopped()).toBe(true);
  await Promise.all([other, later].map(({ end }) => end()));
});

test('the latest preview frame of a running request is kept for its account', async () => {
  const caller = await accountWith(1_000);
  const held = await submitAndClaim(caller);
  for (const text of ['first', 'second'])
    runs.note(held, { state: 'running', frame: { contentType: 'image/png', bytes: Buffer.from(text) } });
  await expect
    .poll(() => readFrame(caller.accountId, held.id))
    .toEqual({ contentType: 'image/png', bytes: Buffer.from('second') });
});
