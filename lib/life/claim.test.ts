import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { readBalance } from '#lib/accounts/ledger';
import { accountWith } from '#lib/accounts/test-callers';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { cancelGeneration } from '#lib/generations/cancel';
import { getGeneration } from '#lib/generations/read';
import { newId } from '#lib/ids';
import {
  claimGenerations,
  claimUnfetched,
  giveBack,
  heldBy,
  leavePlace,
  readWaiting,
  recoverLost,
  reportProgress,
  retryLater,
  saveEngineRef,
  type Claim,
} from '#lib/life/claim';
import { WAITING_CHANNEL } from '#lib/life/doorbell';
import { finish } from '#lib/life/finish';
import { takeTasks } from '#lib/life/outbox';
import {
  begin,
  claim,
  commitWhenWaitedFor,
  completed,
  failed,
  hear,
  submit,
  submitAndClaim,
  submitMany,
  WAITING,
  WORKER,
} from '#lib/life/test-requests';

await useOwnDatabase();
process.env.LOG_LEVEL = 'silent';

const caller = await accountWith(1_000_000);
const { accountId } = caller;

beforeEach(() => pool().query('delete from outbox'));

test('a held or unfetched request cannot be claimed, and a returned one is claimed under a new number', async () => {
  const unfetched = await submit(caller);
  await pool().query('update requests set fetched = false where id = $1', [unfetched]);
  expect(await claim(unfetched)).toBeNull();
  const first = await submitAndClaim(caller);
  expect(await claim(first.id)).toBeNull();
  expect(await giveBack(first)).toBe(true);
  const second = await claim(first.id);
  expect(second).toMatchObject({ claim: first.claim + 1, attempts: 0, interruptions: 0, status: 'in_progress' });
  expect(second?.startedAt).toEqual(first.startedAt);
});

test('a claim for fetching media cannot write any more after its dead worker was replaced', async () => {
  const id = await submit(caller);
  await pool().query('update requests set fetched = false where id = $1', [id]);
  const take = async () => (await claimUnfetched(WORKER, 100, 100)).find(claimed => claimed.id === id);
  const first = (await take())!;
  expect(await take()).toBeUndefined();
  await recoverLost();
  const second = (await take())!;
  expect(second.claim).toBe(first.claim + 1);
  expect(await giveBack(first, { fetched: true })).toBe(false);
  expect(await giveBack(second, { fetched: true })).toBe(true);
  expect(await take()).toBeUndefined();
});

test('a request that met an error waits one second before it is tried again', async () => {
  const held = await submitAndClaim(caller);
  await retryLater(held);
  const waits = `select not_before - updated_at = interval '1 second' as waits from requests where id = $1`;
  expect((await pool().query(waits, [held.id])).rows).toMatchObject([{ waits: true }]);
  const isWaiting = async () => (await readWaiting([held.line], 1_000)).some(({ id }) => id === held.id);
  for (const [pause, waits] of [
    ['1 hour', false],
    ['0', true],
  ] as const) {
    await pool().query('update requests set not_before = now() + $2 where id = $1', [held.id, pause]);
    expect(await isWaiting()).toBe(waits);
  }
});

test('only one of two workers that claim a request at the same time gets it', async () => {
  const id = await submit(caller);
  const other = await begin();
  await other.query('select from claim_generations($1, $2)', [
    newId(),
    JSON.stringify([{ id, engine: 'preview', server: 'preview/there', places: null }]),
  ]);
  const claiming = claim(id);
  await commitWhenWaitedFor(other);
  expect(await claiming).toBeNull();
});

test('a worker that lost its claim cannot write progress, an engine ref, an end or a refund', async () => {
  const old = await submitAndClaim(caller);
  await giveBack(old);
  const fresh = (await claim(old.id)) as Claim;
  const before = await readBalance(accountId);
  const progress: [Claim, number][] = [
    [old, 0.5],
    [fresh, 0.25],
  ];
  expect(await reportProgress(new Map(progress))).toEqual([old]);
  expect(await saveEngineRef(old, { id: 'old' })).toBe(false);
  expect(await giveBack(old)).toBe(false);
  expect(await finish(heldBy(old), completed())).toEqual([]);
  expect(await finish(heldBy(old), failed)).toEqual([]);
  expect(await getGeneration(accountId, old.id)).toMatchObject({
    status: 'in_progress',
    progress: 0.25,
    engineRef: null,
  });
  expect(await finish(heldBy(fresh), completed())).toHaveLength(1);
  expect(await readBalance(accountId)).toBe(before);
});

test('a server shared by several workers takes no more requests than it has places', async () => {
  const ids = [await submit(caller), await submit(caller), await submit(caller)];
  await pool().query(`insert into servers (id, engine, places) values ('gpu/1', 'gpu', 2)`);
  const workers = [newId(), newId(), newId()];
  const claims = await Promise.all(
    ids.map((id, at) => claim(id, { server: 'gpu/1', places: 2, worker: workers[at]! })),
  );
  const taken = claims.filter(taken => taken !== null);
  expect(taken).toHaveLength(2);
  const { rows } = await pool().query(`select loaded from servers where id = 'gpu/1' and loaded_at is not null`);
  expect(rows).toEqual([{ loaded: taken[0]!.line }]);
  await finish(heldBy(taken[0]!), completed());
  const left = ids.find(id => !taken.some(claim => claim.id === id))!;
  const last = await claim(left, { server: 'gpu/1', places: 2 });
  // a request that was given back occupies no place
  await giveBack(last!);
  await pool().query(`update servers set loaded_at = now() - interval '1 hour' where id = 'gpu/1'`);
  expect(await claim(left, { server: 'gpu/1', places: 2 })).not.toBeNull();
  // loaded_at is unchanged: the same model stays loaded, so the turn of other lines is not delayed
  const since = `select from servers where id = 'gpu/1' and loaded_at < now() - interval '59 minutes'`;
  expect((await pool().query(since)).rowCount).toBe(1);
});

test('a request being stored occupies no place, unless more are being stored than the server has places', async () => {
  await pool().query(`insert into servers (id, engine, places) values ('gpu/3', 'gpu', 1)`);
  const take = async () => claim(await submit(caller), { server: 'gpu/3', places: 1 });
  const first = (await take())!;
  expect(await take()).toBeNull();
  await leavePlace(first);
  const second = (await take())!;
  expect(await take()).toBeNull();
  await leavePlace(second);
  // two outputs are being stored
  expect(await take()).toBeNull();
  await finish(heldBy(first), completed());
  const third = (await take())!;
  // another worker continues the request, perhaps by making it again, so it occupies a place
  await giveBack(second);
  await claim(second.id, { server: 'gpu/3' });
  await finish(heldBy(third), completed());
  expect(await take()).toBeNull();
});

test('workers lock servers in one fixed order, so that they never deadlock', async () => {
  await pool().query(`insert into servers (id, engine, places) values ('gpu/4', 'gpu', 1), ('gpu/5', 'gpu', 1)`);
  const picks = [];
  for (const server of ['gpu/5', 'gpu/4']) picks.push({ id: await submit(caller), engine: 'gpu', server, places: 1 });
  const other = await begin();
  onTestFinished(() => other.end());
  await other.query(`select from servers where id = 'gpu/4' for update`);
  const claiming = claimGenerations(WORKER, picks);
  await expect.poll(async () => (await other.query(WAITING)).rowCount).toBe(1);
  await other.query(`select from servers where id = 'gpu/5' for update nowait`);
  await other.query('commit');
  expect(await claiming).toHaveLength(2);
});

test('a job left at a server is found again at that server, and is unknown at another one', async () => {
  const first = await submitAndClaim(caller);
  await saveEngineRef(first, { id: 'job' });
  await giveBack(first);
  const again = (await claim(first.id)) as Claim;
  expect(again.engineRef).toEqual({ id: 'job' });
  await giveBack(again);
  expect(await claim(first.id, { server: 'preview/elsewhere' })).toMatchObject({ engineRef: null });
  // the job ended with the process of its server, so there is nothing to cancel
  expect(await takeTasks('engine', 10)).toEqual([]);
});

test('a job left at a server is scheduled for cancellation there when the request moves to another server', async () => {
  const id = await submit(caller);
  const at = async (server: string, ref: string) => {
    const held = (await claim(id, { server })) as Claim;
    await saveEngineRef(held, { id: ref });
    await giveBack(held);
    return held.moves;
  };
  // the job was not started on this server
  await giveBack((await claim(id, { server: 'gpu/3' })) as Claim);
  expect([await at('gpu/1', 'a'), await at('gpu/1', 'a')]).toEqual([0, 0]);
  expect((await pool().query('select from outbox')).rowCount).toBe(0);
  expect([await at('gpu/2', 'b'), await at('gpu/1', 'c')]).toEqual([1, 2]);
  await cancelGeneration(accountId, id);
  const { rows } = await pool().query('select request_id as id, job from outbox order by outbox.id');
  expect(rows).toEqual([
    { id, job: { server: 'gpu/1', ref: { id: 'a' } } },
    { id, job: { server: 'gpu/2', ref: { id: 'b' } } },
    { id, job: { server: 'gpu/1', ref: { id: 'c' } } },
  ]);
});

test('requests of a dead worker wait again, counted as interrupted, and live workers keep theirs', async () => {
  const [alive, dead] = [newId(), newId()];
  await pool().query(
    `insert into workers (id, host, pid, seen_at) values ($1, 'here', 1, now()), ($2, 'here', 2, now() - interval '11 seconds')`,
    [alive, dead],
  );
  const kept = (await claim(await submit(caller), { worker: alive })) as Claim;
  const lost = (await claim(await submit(caller), { worker: dead })) as Claim;
  const waits = await submit(caller);
  await recoverLost();
  expect(await getGeneration(accountId, kept.id)).toMatchObject({ worker: alive, interruptions: 0 });
  expect(await getGeneration(accountId, lost.id)).toMatchObject({ worker: null, interruptions: 1, attempts: 0 });
  expect(await getGeneration(accountId, waits)).toMatchObject({ interruptions: 0 });
  // requests of unknown engines are recovered too
  await pool().query(`update requests set engine = 'gone', line = 'gone' where id = $1`, [kept.id]);
  await pool().query('delete from workers where id = $1', [alive]);
  expect(await recoverLost()).toBeGreaterThanOrEqual(1);
  expect(await getGeneration(accountId, kept.id)).toMatchObject({ worker: null });
});

test('workers are notified when a place is freed, a request is returned, or a dead worker is recovered', async () => {
  const held = await submitAndClaim(caller);
  const { told, listener } = await hear(WAITING_CHANNEL);
  onTestFinished(() => listener.close());
  const expectRing = async (act: () => Promise<unknown>) => {
    told.length = 0;
    await act();
    await expect.poll(() => told).toContain('');
  };
  await expectRing(() => leavePlace(held));
  await expectRing(() => giveBack(held));
  await claim(held.id);
  await expectRing(recoverLost);
});

test.each([1, 5])(
  'the first request of an account comes second among five of another account, sent %i at a time',
  async some => {
    await pool().query(
      `update requests set status = 'cancelled', finished_at = now() where status in ('queued', 'in_progress')`,
    );
    for (let left = 5; left > 0; left -= some) await submitMany(caller, some);
    const first = await submit(await accountWith(1_000));
    const { rows } = await pool().query<{ id: string }>(
      `select id from requests where status in ('queued', 'in_progress') order by turn_at`,
    );
    expect(rows.map(({ id }) => id === first)).toEqual([false, true, false, false, false, false]);
    // also where more requests wait than a worker reads; claimed ones are not among those read
    const next = async () => (await readWaiting(['preview'], 2)).map(({ id }) => id);
    expect(await next()).toEqual(rows.slice(0, 2).map(({ id }) => id));
    await claim(rows[0]!.id);
    expect(await next()).toEqual(rows.slice(1, 3).map(({ id }) => id));
  },
);
