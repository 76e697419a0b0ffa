import { eq } from 'drizzle-orm';
import pg from 'pg';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { createAccount, getAccount } from '#lib/accounts/accounts';
import { COMMAND_LINE } from '#lib/accounts/audit';
import { createApiKey, revokeApiKey } from '#lib/accounts/api-keys';
import { verifyApiKey, type Caller } from '#lib/accounts/callers';
import { changeAccount } from '#lib/accounts/govern';
import { checkLedger } from '#lib/accounts/ledger-check';
import { readBalance } from '#lib/accounts/ledger';
import { databaseAddress } from '#lib/db/address';
import { pool } from '#lib/db/client';
import { listen } from '#lib/db/listen';
import { requests } from '#lib/db/schema';
import { useOwnDatabase } from '#lib/db/test-database';
import { AppError } from '#lib/errors';
import { cancelGeneration } from '#lib/generations/cancel';
import { deleteAccount } from '#lib/generations/delete-account';
import { getGeneration } from '#lib/generations/read';
import { submitGeneration, type Submitted } from '#lib/generations/submit';
import { newId } from '#lib/ids';
import {
  claimGenerations,
  giveBack,
  heldBy,
  recoverLost,
  reportProgress,
  saveEngineRef,
  type Claim,
} from '#lib/life/claim';
import { UNFETCHED_CHANNEL, WAITING_CHANNEL } from '#lib/life/doorbell';
import { finish, FINAL_CHANNEL, type Ending } from '#lib/life/finish';
import { findFrames, forgetFrames, readFrame, writeFrames } from '#lib/life/frames';
import { dropTask, postponeTask, takeTasks } from '#lib/life/outbox';
import { recordRefusal } from '#lib/life/refusals';
import { newMediaKey } from '#lib/storage/media-key';

await useOwnDatabase();
process.env.LOG_LEVEL = 'silent';

const GEMS = 1_000_000;
const WORKER = newId();
let caller: Caller;
let accountId: string;

beforeAll(async () => {
  accountId = (await createAccount({ email: 'runner@example.com', gems: GEMS })).id;
  const { key } = await createApiKey(accountId, { name: 'test' });
  caller = (await verifyApiKey(key)) as Caller;
});

beforeEach(() => pool().query('delete from outbox'));

async function submit(who = caller): Promise<string> {
  const body = () => Promise.resolve({ prompt: 'dusk' });
  return (await submitGeneration({ caller: who, architectureId: 'z_image', body })).generation.id;
}

async function claim(id: string, { server = 'preview/here', places = null as number | null, worker = WORKER } = {}) {
  const [claimed] = await claimGenerations(worker, [{ id, engine: server.split('/')[0]!, server, places }]);
  return claimed ?? null;
}

async function submitAndClaim(): Promise<Claim> {
  const claimed = await claim(await submit());
  if (!claimed) throw new Error('not claimed');
  return claimed;
}

const completed = (): Ending => ({
  status: 'completed',
  result: {
    mediaId: newId(),
    key: newMediaKey('result', 'image/png'),
    contentType: 'image/png',
    bytes: 1,
    width: 1,
    height: 1,
    nsfw: false,
    expiresAt: new Date().toISOString(),
  },
});
const failed: Ending = { status: 'failed', message: 'no', cause: 'test' };

test('what is held cannot be claimed; what was given back can, under a new number', async () => {
  const first = await submitAndClaim();
  expect(await claim(first.id)).toBeNull();
  expect(await giveBack(first)).toBe(true);
  const second = await claim(first.id);
  expect(second).toMatchObject({ claim: first.claim + 1, attempts: 0, interruptions: 0, status: 'in_progress' });
  expect(second?.startedAt).toEqual(first.startedAt);
});

test('whoever lost the claim writes nothing any more: no progress, no ref, no end, no refund', async () => {
  const old = await submitAndClaim();
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

test('a request ends once: a failure is refunded once, and nothing follows it', async () => {
  const before = await readBalance(accountId);
  const held = await submitAndClaim();
  expect(await finish(heldBy(held), failed)).toMatchObject([{ status: 'failed', refunded: true, worker: null }]);
  expect(await finish(heldBy(held), failed)).toEqual([]);
  expect(await finish(heldBy(held), completed())).toEqual([]);
  expect(await claim(held.id)).toBeNull();
  await expect(cancelGeneration(accountId, held.id)).rejects.toMatchObject({ code: 'request_finished' });
  expect(await readBalance(accountId)).toBe(before);
});

test('what was cancelled stays so, whatever its worker still brings', async () => {
  const held = await submitAndClaim();
  await cancelGeneration(accountId, held.id);
  expect(await finish(heldBy(held), completed())).toEqual([]);
  expect(await finish(heldBy(held), failed)).toEqual([]);
  expect(await getGeneration(accountId, held.id)).toMatchObject({ status: 'cancelled', result: null, refunded: false });
});

test('of many that end it at once one wins, and the books are whole', async () => {
  const held = await submitAndClaim();
  const ends = [completed(), failed, completed(), failed, completed(), failed];
  const won = await Promise.all(ends.map(end => finish(heldBy(held), end)));
  expect(won.flat()).toHaveLength(1);
  await expectWholeBooks();
});

test('a server that several workers give work takes no more than it has places for', async () => {
  const ids = [await submit(), await submit(), await submit()];
  await pool().query(`insert into servers (id, engine, places) values ('gpu/1', 'gpu', 2)`);
  const workers = [newId(), newId(), newId()];
  const claims = await Promise.all(
    ids.map((id, at) => claim(id, { server: 'gpu/1', places: 2, worker: workers[at]! })),
  );
  const taken = claims.filter(taken => taken !== null);
  expect(taken).toHaveLength(2);
  await finish(heldBy(taken[0]!), completed());
  const left = ids.find(id => !taken.some(claim => claim.id === id))!;
  expect(await claim(left, { server: 'gpu/1', places: 2 })).not.toBeNull();
});

test('a job left at a server is found there again, and not looked for elsewhere', async () => {
  const first = await submitAndClaim();
  await saveEngineRef(first, { id: 'job' });
  await giveBack(first);
  const again = (await claim(first.id)) as Claim;
  expect(again.engineRef).toEqual({ id: 'job' });
  await giveBack(again);
  expect(await claim(first.id, { server: 'preview/elsewhere' })).toMatchObject({ engineRef: null });
  // it ended with the process that it lived in
  expect(await takeTasks('engine', 10)).toEqual([]);
});

test('a job left at a server is stopped there when the request goes on elsewhere', async () => {
  const id = await submit();
  const at = async (server: string, ref: string) => {
    const held = (await claim(id, { server })) as Claim;
    await saveEngineRef(held, { id: ref });
    await giveBack(held);
    return held.moves;
  };
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

test('what is tried for as long as it takes holds up nothing, however often it was tried', async () => {
  const [often, other] = [newId(), newId()];
  const owe = `insert into outbox (consumer, request_id, attempts) values ('runs', $1, $2)`;
  await pool().query(owe, [often, 32_767]);
  await pool().query(owe, [other, 0]);
  expect((await takeTasks('runs', 10)).map(({ subjectId }) => subjectId).toSorted()).toEqual([often, other].toSorted());
});

test('what a server is to stop waits until it answers, and nothing waits for another server', async () => {
  const id = newId();
  await pool().query(`insert into servers (id, engine, places, ok) values ('gpu/dead', 'gpu', 1, false)`);
  for (const server of ['gpu/dead', 'gpu/alive', 'gpu/gone'])
    await pool().query(`insert into outbox (consumer, request_id, job) values ('engine', $1, $2)`, [id, { server }]);
  const taken = async () => (await takeTasks('engine', 10)).map(({ job }) => job?.server).toSorted();
  expect(await taken()).toEqual(['gpu/alive', 'gpu/gone']);
  await pool().query(`update servers set ok = true where id = 'gpu/dead'`);
  expect(await taken()).toEqual(['gpu/dead']);
});

test('what a dead worker held waits again, counted as an interruption and no attempt; the living keep theirs', async () => {
  const [alive, dead] = [newId(), newId()];
  await pool().query(
    `insert into workers (id, host, pid, seen_at) values ($1, 'here', 1, now()), ($2, 'here', 2, now() - interval '11 seconds')`,
    [alive, dead],
  );
  const kept = (await claim(await submit(), { worker: alive })) as Claim;
  const lost = (await claim(await submit(), { worker: dead })) as Claim;
  await recoverLost();
  expect(await getGeneration(accountId, kept.id)).toMatchObject({ worker: alive, interruptions: 0 });
  expect(await getGeneration(accountId, lost.id)).toMatchObject({ worker: null, interruptions: 1, attempts: 0 });
  // engines that nobody knows any more keep nothing from being recovered
  await pool().query(`update requests set engine = 'gone', line = 'gone' where id = $1`, [kept.id]);
  await pool().query('delete from workers where id = $1', [alive]);
  expect(await recoverLost()).toBeGreaterThanOrEqual(1);
  expect(await getGeneration(accountId, kept.id)).toMatchObject({ worker: null });
});

test('an end that leaves a job at an engine owes the outbox a task; a completed one owes none', async () => {
  const [cancelled, done] = [await submitAndClaim(), await submitAndClaim()];
  for (const held of [cancelled, done]) await saveEngineRef(held, { id: 'job' });
  await pool().query(`update requests set engine = 'gpu' where id = any($1)`, [[cancelled.id, done.id]]);
  await cancelGeneration(accountId, cancelled.id);
  await finish(eq(requests.id, done.id), completed());
  const tasks = await takeTasks('engine', 10);
  expect(tasks).toMatchObject([{ subjectId: cancelled.id, attempts: 1 }]);
  // taken: nobody else gets it meanwhile
  expect(await takeTasks('engine', 10)).toEqual([]);
  await postponeTask(tasks[0]!, 60);
  expect(await takeTasks('engine', 10)).toEqual([]);
  await pool().query('update outbox set due_at = default');
  expect(await takeTasks('engine', 10)).toMatchObject([{ attempts: 2 }]);
  await dropTask(tasks[0]!);
  await pool().query('update outbox set due_at = default');
  expect(await takeTasks('engine', 10)).toEqual([]);
});

test('tasks of one request are done in their order, whatever other consumers owe it', async () => {
  const id = newId();
  const tasks = `insert into outbox (consumer, request_id) values ('engine', $1), ('engine', $1), ('runs', $1)`;
  await pool().query(tasks, [id]);
  const [first, ...more] = await takeTasks('engine', 10);
  expect(more).toEqual([]);
  expect(await takeTasks('runs', 10)).toHaveLength(1);
  await pool().query('update outbox set due_at = default');
  // whoever has it under way takes neither it again nor the next one
  expect(await takeTasks('engine', 10, [first!.id])).toEqual([]);
  await dropTask(first!);
  expect(await takeTasks('engine', 10)).toHaveLength(1);
});

test('the first request of an account goes before the many of another', async () => {
  const { id } = await createAccount({ email: 'late@example.com', gems: 1_000 });
  const late = (await verifyApiKey((await createApiKey(id, { name: 'x' })).key)) as Caller;
  await pool().query(
    `update requests set status = 'cancelled', finished_at = now() where status in ('queued', 'in_progress')`,
  );
  const many = [];
  for (let n = 0; n < 5; n++) many.push(await submit());
  const body = () => Promise.resolve({ prompt: 'dusk' });
  const first = (await submitGeneration({ caller: late, architectureId: 'z_image', body })).generation.id;
  const { rows } = await pool().query<{ id: string }>(
    `select id from requests where status in ('queued', 'in_progress') order by turn_at`,
  );
  expect(rows.map(row => row.id)).toEqual([many[0], first, ...many.slice(1)]);
});

/** What is told on a channel, from now on. */
async function hear(channel: string) {
  const told: string[] = [];
  const listener = listen(channel, word => told.push(word));
  await expect
    .poll(async () => {
      await pool().query(`select pg_notify('${channel}', 'ready')`);
      return told;
    })
    .toContain('ready');
  return { told, listener };
}

test('workers are woken by a submit alone, by several that are decided together, and by one whose media are still to be fetched', async () => {
  const waiting = await hear(WAITING_CHANNEL);
  await submit();
  await expect.poll(() => waiting.told).toContain('');
  waiting.told.length = 0;
  const askers = await Promise.all(Array.from({ length: 8 }, () => accountWith(1_000)));
  await Promise.all(askers.map(who => submit(who)));
  await expect.poll(() => waiting.told).toContain('');
  await waiting.listener.close();

  const unfetched = await hear(UNFETCHED_CHANNEL);
  const body = { prompt: 'dusk', image: 'https://example.com/a.png' };
  await submitGeneration({ caller, architectureId: 'mango', body: () => Promise.resolve(body) });
  await expect.poll(() => unfetched.told).toContain('');
  await unfetched.listener.close();
});

test('whoever waits is told of every end', async () => {
  const { told, listener } = await hear(FINAL_CHANNEL);
  const ends: Ending[] = [completed(), failed, { status: 'cancelled' }];
  for (const end of ends) {
    const held = await submitAndClaim();
    await finish(heldBy(held), end);
    await expect.poll(() => told).toContain(held.id);
  }
  await listener.close();
});

test('a failure waits for its account before it holds the request: whoever deletes the account wants both', async () => {
  const { id } = await submitAndClaim();
  const deleting = new pg.Client(databaseAddress());
  await deleting.connect();
  await deleting.query('begin');
  await deleting.query('select from accounts where id = $1 for update', [accountId]);
  const ended = finish(eq(requests.id, id), failed);
  const waiting = 'select from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))';
  await expect.poll(async () => (await deleting.query(waiting)).rowCount).toBe(1);
  await deleting.query('select from requests where id = $1 for update nowait', [id]);
  await deleting.query('rollback');
  await deleting.end();
  expect(await ended).toMatchObject([{ id, status: 'failed' }]);
});

test('an end is written whole or not at all', async () => {
  const held = await submitAndClaim();
  await pool().query(`
    create function lose() returns trigger language plpgsql as $$ begin raise 'the books are closed'; end $$;
    create trigger lose before insert on ledger for each row execute function lose()`);
  await expect(finish(heldBy(held), failed)).rejects.toMatchObject({ cause: { message: 'the books are closed' } });
  await pool().query('drop trigger lose on ledger');
  expect(await getGeneration(accountId, held.id)).toMatchObject({ status: 'in_progress', worker: WORKER });
  expect(await finish(heldBy(held), failed)).toHaveLength(1);
});

test('the books cannot be changed, only added to', async () => {
  for (const change of ['update ledger set gems = 1', 'delete from ledger', 'truncate ledger'])
    await expect(pool().query(change)).rejects.toThrow('never changed');
});

test('a live request shows its last frame to its account; a final one shows none', async () => {
  const held = await submitAndClaim();
  const frame = (text: string) => new Map([[held.id, { contentType: 'image/png', bytes: Buffer.from(text) }]]);
  await writeFrames(frame('first'));
  await writeFrames(frame('second'));
  expect(await readFrame(accountId, held.id)).toEqual({ contentType: 'image/png', bytes: Buffer.from('second') });
  expect(await readFrame(newId(), held.id)).toBeNull();
  await finish(heldBy(held), failed);
  expect(await readFrame(accountId, held.id)).toBeNull();
  await writeFrames(frame('late'));
  expect(await readFrame(accountId, held.id)).toBeNull();
});

test('a frame that comes while its request ends is not shown, and goes', async () => {
  const held = await submitAndClaim();
  const ending = await pool().connect();
  await ending.query('begin');
  await ending.query(`update requests set status = 'cancelled', worker = null, finished_at = now() where id = $1`, [
    held.id,
  ]);
  await writeFrames(new Map([[held.id, { contentType: 'image/png', bytes: Buffer.from('late') }]]));
  await ending.query('commit');
  ending.release();
  expect(await readFrame(accountId, held.id)).toBeNull();
  const live = await submitAndClaim();
  await writeFrames(new Map([[live.id, { contentType: 'image/png', bytes: Buffer.from('live') }]]));
  expect(await forgetFrames()).toBe(1);
  expect([...(await findFrames([held.id, live.id])).keys()]).toEqual([live.id]);
});

/** Submits that meet while others are under way, each under a key of its own unless told. */
const submitMany = (count: number, keyOf: (at: number) => string | undefined = () => undefined, who = caller) =>
  Promise.allSettled(
    Array.from({ length: count }, (_, at) =>
      submitGeneration({
        caller: who,
        architectureId: 'z_image',
        idempotencyKey: keyOf(at),
        body: () => Promise.resolve({ prompt: `dusk ${at}` }),
      }),
    ),
  );

const accountWith = async (gems: number, monthlyBudget?: number): Promise<Caller> =>
  keyFor((await createAccount({ email: `${newId()}@example.com`, gems })).id, { monthlyBudget });

const keyFor = async (owner: string, limits: { monthlyBudget?: number | undefined; inFlightLimit?: number } = {}) =>
  (await verifyApiKey((await createApiKey(owner, { name: 'x', ...limits })).key)) as Caller;

/** What is decided in one statement of drafts that are alike; how many of them were accepted. */
async function acceptMany({ accountId, keyId }: Caller, count: number, budget: number | null): Promise<number | null> {
  const sql = `select to_jsonb(requests) as row from requests where id = $1`;
  const { rows } = await pool().query<{ row: object }>(sql, [await submit(await accountWith(10))]);
  const asked = Array.from({ length: count }, () => ({
    draft: { ...rows[0]?.row, id: newId(), account_id: accountId, api_key_id: keyId, gems: 10 },
    scope: accountId,
    budget,
  }));
  return (await pool().query('select n from accept_drafts($1)', [JSON.stringify(asked)])).rowCount;
}

const expectWholeBooks = async () => expect((await checkLedger()).filter(({ ok }) => !ok)).toEqual([]);

const accepted = (outcomes: PromiseSettledResult<{ generation: { id: string } }>[]) =>
  outcomes.flatMap(one => (one.status === 'fulfilled' ? one.value.generation.id : []));

test('of many submits at once as many are accepted as the limit allows, and the rest are told why', async () => {
  const who = await accountWith(10_000);
  const outcomes = await submitMany(40, undefined, who);
  expect(accepted(outcomes)).toHaveLength(20);
  for (const one of outcomes)
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'too_many_requests' });
  await expectWholeBooks();
});

test('whose key was revoked, or account disabled, while a submit was under way gets nothing accepted', async () => {
  const [one, other] = [await accountWith(10_000), await accountWith(10_000)];
  await revokeApiKey(one.accountId, String(one.keyId));
  await changeAccount(COMMAND_LINE, other.accountId, { disabled: true });
  for (const who of [one, other]) {
    for (const outcome of await submitMany(3, undefined, who))
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unauthorized' } });
    expect(await acceptMany(who, 3, null)).toBe(0);
  }
});

test('of many submits at once as many are accepted as balance and budget pay for', async () => {
  for (const who of [await accountWith(75), await accountWith(10_000, 75)]) {
    const outcomes = await submitMany(15, undefined, who);
    expect(accepted(outcomes)).toHaveLength(7);
    for (const one of outcomes)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'insufficient_gems' });
  }
  await expectWholeBooks();
});

test('a key has as many requests live as it may, at once or one by one; others of its account are not held back', async () => {
  const { accountId } = await accountWith(10_000);
  const small = await keyFor(accountId, { inFlightLimit: 3 });
  const outcomes = await submitMany(8, undefined, small);
  const [first, ...more] = accepted(outcomes);
  expect(more).toHaveLength(2);
  for (const one of outcomes)
    if (one.status === 'rejected')
      expect(one.reason).toMatchObject({
        code: 'too_many_requests',
        message: expect.stringContaining('API key has 3'),
      });
  expect(accepted(await submitMany(1, undefined, small))).toEqual([]);
  expect(accepted(await submitMany(5, undefined, await keyFor(accountId)))).toHaveLength(5);
  await cancelGeneration(accountId, first!);
  const other = await keyFor(accountId);
  const beside = await Promise.all([small, other].map(who => submitMany(4, undefined, who)));
  expect(beside.map(some => accepted(some).length)).toEqual([1, 4]);
  await expectWholeBooks();
});

test('submits with one key that meet are one request', async () => {
  const who = await accountWith(10_000);
  const outcomes = await submitMany(12, at => `key ${Math.floor(at / 4)}`, who);
  expect(accepted(outcomes)).toHaveLength(12);
  expect(new Set(accepted(outcomes)).size).toBe(3);
  expect(await readBalance(who.accountId)).toBe(10_000 - 30);
  await expectWholeBooks();
});

/** A submit under a key whose body is still on its way. */
async function openSubmit(who: Caller) {
  const [asked, sent] = [Promise.withResolvers<void>(), Promise.withResolvers<Record<string, unknown>>()];
  const body = () => {
    asked.resolve();
    return sent.promise;
  };
  const under = { caller: who, architectureId: 'z_image', idempotencyKey: 'met' };
  const first = submitGeneration({ ...under, body });
  await asked.promise;
  return {
    first,
    send: sent.resolve,
    again: (body: object) => submitGeneration({ ...under, body: async () => ({ ...body }) }),
  };
}

test.each([
  ['that is accepted', { prompt: 'dusk' }, { replayed: true }],
  ['that is refused for good', { prompt: 'nude child' }, { code: 'content_blocked' }],
])(
  'who comes under a key while the body of the first is on its way gets what is answered to the one %s',
  async (_, given, answer) => {
    const { first, send, again } = await openSubmit(await accountWith(10_000));
    const others = [{}, { prompt: 'nude child' }, { prompt: 'dawn' }].map(again);
    send(given);
    const [told, ...same] = await Promise.all([first, ...others].map(one => one.catch((error: unknown) => error)));
    for (const one of same) expect(one).toMatchObject(answer);
    const idOf = (one: unknown) => (one instanceof AppError ? one.extra.request_id : (one as Submitted).generation.id);
    expect(new Set(same.map(idOf))).toEqual(new Set([idOf(told)]));
  },
);

test('what was refused and may be mended leaves the key to the next who waits', async () => {
  const { first, send, again } = await openSubmit(await accountWith(10_000));
  const next = again({ prompt: 'dusk' });
  send({});
  await expect(first).rejects.toMatchObject({ code: 'invalid_config' });
  expect(await next).toMatchObject({ replayed: false });
});

test('a submit whose key another process refused something meanwhile is told that refusal', async () => {
  const who = await accountWith(10_000);
  const { first, send } = await openSubmit(who);
  const facts = { accountId: who.accountId, architecture: 'z_image', modelId: 'z', type: 'image', prompt: '' } as const;
  const requestId = newId();
  const refusal = new AppError('content_blocked', 'no', { request_id: requestId });
  await recordRefusal({ id: who.keyId!, key: 'met' }, { requestId, ...facts }, refusal);
  send({ prompt: 'dusk' });
  await expect(first).rejects.toMatchObject({ code: 'content_blocked', extra: { request_id: requestId } });
  expect(await readBalance(who.accountId)).toBe(10_000);
});

test('a key that another process answered keeps that answer also for an account that is refused too often', async () => {
  const who = await accountWith(10_000);
  const { first, send } = await openSubmit(who);
  await pool().query(
    `insert into refusals (request_id, account_id, architecture, model_id, type, prompt, status, body)
    select gen_random_uuid(), $1, 'z_image', 'z', 'image', '', 403, '' from generate_series(1, 300)`,
    [who.accountId],
  );
  const id = await submit(who);
  await pool().query(`insert into submissions (scope, key, request_id) values ($1, 'met', $2)`, [who.keyId, id]);
  send({ prompt: 'nude child' });
  expect(await first).toMatchObject({ replayed: true, generation: { id } });
});

/** Somebody else's transaction. */
async function begin(): Promise<pg.Client> {
  const client = new pg.Client(databaseAddress());
  await client.connect();
  await client.query('begin');
  return client;
}

/** Commits once somebody waits for it. */
async function commitWhenWaitedFor(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const waiting = `select from pg_stat_activity where datname = current_database() and $1 = any(pg_blocking_pids(pid))`;
  await expect.poll(async () => (await pool().query(waiting, [rows[0]?.pid])).rowCount, { timeout: 20_000 }).toBe(1);
  await client.query('commit');
  await client.end();
}

test('a submit whose key another process refuses something while it is accepted is told that refusal', async () => {
  const who = await accountWith(10_000);
  const [requestId, held, refused] = [newId(), await begin(), await begin()];
  await held.query('select from accounts where id = $1 for no key update', [who.accountId]);
  await refused.query(`insert into submissions (scope, key, request_id) values ($1, 'met', $2)`, [
    who.keyId,
    requestId,
  ]);
  await refused.query(
    `insert into refusals (request_id, account_id, architecture, model_id, type, prompt, status, body)
    values ($1, $2, 'z_image', 'z', 'image', '', 403, $3)`,
    [requestId, who.accountId, JSON.stringify({ error: { code: 'content_blocked', message: 'no' } })],
  );
  const submitted = submitMany(1, () => 'met', who);
  await commitWhenWaitedFor(held);
  await commitWhenWaitedFor(refused);
  expect(await submitted).toMatchObject([{ reason: { code: 'content_blocked', message: 'no' } }]);
  expect(await readBalance(who.accountId)).toBe(10_000);
  await expectWholeBooks();
});

test('a task that another worker is just taking is passed over, not waited for', async () => {
  await pool().query(`insert into outbox (consumer, request_id) values ('runs', gen_random_uuid())`);
  const other = await begin();
  try {
    await other.query('select from outbox for update');
    expect(await takeTasks('runs', 10)).toEqual([]);
  } finally {
    await other.end();
  }
});

test('what is accepted while its account is deleted ends like all that the account had', async () => {
  const who = await accountWith(10_000);
  const { told, listener } = await hear(FINAL_CHANNEL);
  const accepting = await begin();
  await accepting.query('select from accounts where id = $1 for no key update', [who.accountId]);
  const { rows } = await accepting.query<{ id: string }>(
    `insert into requests select (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(), 'account_id', $2::text))).*
    from requests r where r.id = $1 returning id`,
    [await submit(await accountWith(10_000)), who.accountId],
  );
  const account = await getAccount(who.accountId);
  const deleted = deleteAccount(account, account.email);
  await commitWhenWaitedFor(accepting);
  await deleted;
  await expect.poll(() => told).toContain(rows[0]!.id);
  await listener.close();
});

test('what is refused while its account is deleted is told so, and not kept', async () => {
  const who = await accountWith(10_000);
  const { first, send } = await openSubmit(who);
  const account = await getAccount(who.accountId);
  await deleteAccount(account, account.email);
  send({ prompt: 'nude child' });
  await expect(first).rejects.toMatchObject({ code: 'content_blocked', extra: {} });
});

test('an account that is being changed holds up nobody else', async () => {
  const [held, free] = [await accountWith(10_000), await accountWith(10_000)];
  const client = await begin();
  try {
    await client.query('select from accounts where id = $1 for update', [held.accountId]);
    const waiting = submitMany(3, undefined, held);
    expect(accepted(await submitMany(5, undefined, free))).toHaveLength(5);
    await client.query('commit');
    expect(accepted(await waiting)).toHaveLength(3);
  } finally {
    await client.end();
  }
});

test('what is decided in one statement keeps to the limit, the balance and the budget, too', async () => {
  expect(await acceptMany(await accountWith(10_000), 25, null)).toBe(20);
  expect(await acceptMany(await accountWith(75), 15, null)).toBe(7);
  expect(await acceptMany(await accountWith(10_000), 15, 75)).toBe(7);
  await expectWholeBooks();
});

test('a submit that waits for its account over the turn of a month is held against the new one alone', async () => {
  const who = await accountWith(10_000, 15);
  const { rows } = await pool().query<{ row: object }>('select to_jsonb(requests) as row from requests where id = $1', [
    await submit(who),
  ]);
  const draft = JSON.stringify({ ...rows[0]?.row, id: newId() });
  const client = await pool().connect();
  try {
    await client.query('begin');
    // a clock that shows the next month, in a transaction that began in this one
    await client.query('create schema later');
    const clock = `create function later.clock_timestamp() returns timestamptz language sql volatile as $$select now() + interval '1 month'$$`;
    await client.query(clock);
    await client.query('set local search_path = later, pg_catalog, public');
    const decided = await client.query('select outcome from accept_generation($1, $2, null, 15, true)', [
      draft,
      who.accountId,
    ]);
    expect(decided.rows).toEqual([{ outcome: 'accepted' }]);
  } finally {
    await client.query('rollback');
    client.release();
  }
});

test('a draft without the columns that have a value of their own is accepted: the version before does not know them all', async () => {
  const who = await accountWith(10_000);
  const { rows } = await pool().query<{ row: object }>(
    `select to_jsonb(requests) - array(
        select attname::text from pg_attribute where attrelid = 'requests'::regclass and attnotnull and atthasdef
      ) as row from requests where id = $1`,
    [await submit(who)],
  );
  const draft = () => ({ ...rows[0]!.row, id: newId() });
  const alone = await pool().query('select outcome from accept_generation($1, $2, null, null, true)', [
    JSON.stringify(draft()),
    who.accountId,
  ]);
  expect(alone.rows).toEqual([{ outcome: 'accepted' }]);
  const asked = JSON.stringify([{ draft: draft(), scope: who.accountId }]);
  expect((await pool().query('select n from accept_drafts($1)', [asked])).rowCount).toBe(1);
});

test('what every call asks goes by indexes, also while a deployment is new', async () => {
  const { rows } = await pool().query<{ name: string }>(
    `select proname as name from pg_proc
    where proname in ('find_callers', 'find_callers_and_first', 'find_submissions', 'accept_generation', 'accept_drafts')
      and 'enable_seqscan=off' = any(proconfig) order by 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual([
    'accept_drafts',
    'accept_generation',
    'find_callers',
    'find_callers_and_first',
    'find_submissions',
  ]);
});
