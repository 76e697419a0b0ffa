import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { eq } from 'drizzle-orm';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { revokeApiKey } from '#lib/accounts/api-keys';
import { COMMAND_LINE } from '#lib/accounts/audit';
import { setAutoTopUp } from '#lib/accounts/auto-top-up';
import { findCallerById, type Caller } from '#lib/accounts/callers';
import { changeAccount } from '#lib/accounts/govern';
import { checkLedger } from '#lib/ledger-check/check-ledger';
import { readBalance } from '#lib/accounts/ledger';
import { accountWith, keyFor } from '#lib/accounts/test-callers';
import type { RunWire } from '#lib/contract/recipe-schemas';
import { db, pool } from '#lib/db/client';
import { media, requests } from '#lib/db/schema';
import { useOwnDatabase } from '#lib/db/test-database';
import { env } from '#lib/env';
import { cancelGeneration } from '#lib/generations/cancel';
import { estimateGeneration } from '#lib/generations/estimate';
import { removeGeneration } from '#lib/generations/remove';
import { newId } from '#lib/ids';
import { finish } from '#lib/life/finish';
import { dropTask, takeTasks } from '#lib/life/outbox';
import { begin, commitWhenWaitedFor } from '#lib/life/test-requests';
import { makeAv, makeImage } from '#lib/media/media-test-files';
import { changeArchitecture } from '#lib/operator/architectures';
import { advanceRun } from '#lib/recipes/advance';
import { estimateRun } from '#lib/recipes/estimate';
import { newestImages } from '#lib/recipes/newest-images';
import { findRun, listRuns } from '#lib/recipes/runs';
import { startRun } from '#lib/recipes/start';
import { cancelRun, retryRun } from '#lib/recipes/stop-and-retry';
import { toRunWire } from '#lib/recipes/to-wire';
import { newMediaKey } from '#lib/storage/media-key';
import { storage } from '#lib/storage/store';

await useOwnDatabase();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-recipes-'));
process.env.LOG_LEVEL = 'silent';

const STORY = { shots: ['A harbour at dawn', 'A letter is opened'], cast: 'Mara, 60, captain' };
/** A picture of mango, fast and small. */
const STILL = 57;
const WHOLE = 3 * STILL;
/** Gives the results of a run small forms with the ids of their requests. */
const RENDITIONS = `update requests set result = result || jsonb_build_object('renditions',
  jsonb_build_array(jsonb_build_object('key', 'preview/' || id || '.webp'))) where run_id = $1`;
const PICTURE = await makeImage(64, 64).png().toBuffer();

beforeEach(() => pool().query('delete from outbox'));

const someone = (gems = 1000, limits: { monthlyBudget?: number } = {}) => accountWith(gems, limits);

const start = (caller: Caller, body: object = STORY, { recipe = 'storyboard', key = '', maxGems = 9999 } = {}) =>
  startRun({
    caller,
    recipeId: recipe,
    maxGems,
    ...(key && { idempotencyKey: key }),
    body: () => Promise.resolve(body as Record<string, unknown>),
  });

/** What a worker does with what is due. */
async function work(): Promise<void> {
  for (const task of await takeTasks('runs', 10)) {
    await advanceRun(task.subjectId);
    await dropTask(task);
  }
}

const read = async (id: string): Promise<RunWire> => toRunWire((await findRun(id))!);
const live = ({ steps }: RunWire) =>
  steps.flatMap(({ requests }) => requests.filter(({ status }) => ['queued', 'in_progress'].includes(status)));

async function complete(requestId: string): Promise<void> {
  const key = newMediaKey('result', 'image/png');
  await storage().put(key, PICTURE, 'image/png');
  const facts = { key, contentType: 'image/png', bytes: 1, width: 1, height: 1, nsfw: false };
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const result = { ...facts, mediaId: newId(), expiresAt };
  expect(await finish(eq(requests.id, requestId), { status: 'completed', result })).toHaveLength(1);
}
const fail = (requestId: string) =>
  finish(eq(requests.id, requestId), { status: 'failed', message: 'The engine broke.', cause: 'test' });

/** Completes all that is in flight, and lets the worker go on. */
async function grow(id: string): Promise<void> {
  for (const { request_id } of live(await read(id))) await complete(request_id);
  await work();
}

test('a run goes step by step to its end, and costs what was said before', async () => {
  const caller = await someone();
  const estimate = await estimateRun(caller, 'storyboard', STORY);
  expect(estimate).toMatchObject({ gems: WHOLE, balance: 1000, enough: true, issues: [] });
  expect(estimate.steps.map(({ id, count, gems }) => [id, count, gems])).toEqual([
    ['lineup', 1, STILL],
    ['stills', 2, 2 * STILL],
  ]);
  const { run } = await start(caller);
  expect(await readBalance(caller.accountId)).toBe(1000);
  expect(await read(run.id)).toMatchObject({
    status: 'running',
    steps: [{ status: 'running' }, { status: 'waiting' }],
  });

  await work();
  expect(live(await read(run.id))).toMatchObject([{ architecture: 'mango', model_id: 'mango-v3-turbo' }]);
  expect(await readBalance(caller.accountId)).toBe(1000 - STILL);
  await grow(run.id);
  const second = await read(run.id);
  expect(second.steps).toMatchObject([
    { status: 'completed', progress: 1 },
    { status: 'running', completed: 0 },
  ]);
  const shots = live(second);
  expect(shots.map(({ prompt }) => prompt.split('\n')[0])).toEqual([
    'Shot 1 of a film: A harbour at dawn',
    'Shot 2 of a film: A letter is opened',
  ]);
  const lineup = second.steps[0]!.requests[0]!.result!.url;
  const { rows } = await pool().query(`select body->>'image' as image from requests where id = $1`, [
    shots[0]!.request_id,
  ]);
  expect(rows).toEqual([{ image: lineup }]);

  await grow(run.id);
  const done = await read(run.id);
  expect(done).toMatchObject({
    status: 'completed',
    error: null,
    billing: { gems_estimated: WHOLE, gems_charged: WHOLE, gems_refunded: 0 },
  });
  expect(done.results).toHaveLength(2);
  expect(await readBalance(caller.accountId)).toBe(1000 - WHOLE);
  expect((await listRuns(caller.accountId, { limit: 5 })).data.map(({ id }) => id)).toEqual([run.id]);
});

test('what a run makes is called by what the recipe does, and to what', async () => {
  const caller = await someone();
  const titles = async (id: string) =>
    (await read(id)).steps.flatMap(({ requests }) => requests.map(request => request.run!.title));
  const { run } = await start(caller);
  await work();
  await grow(run.id);
  expect(await titles(run.id)).toEqual([
    'Storyboard, Cast: Mara, 60, captain',
    'Storyboard, Shots: A harbour at dawn',
    'Storyboard, Shots: A letter is opened',
  ]);
  expect((await read(run.id)).steps[0]!.requests[0]!.run).toMatchObject({ run_id: run.id, recipe: 'storyboard' });

  await grow(run.id);
  const picture = (await read(run.id)).results[0]!.url;
  const one = async (recipe: string, inputs: object) => {
    const { run: other } = await start(caller, inputs, { recipe });
    await work();
    return (await titles(other.id))[0];
  };
  expect(await one('relight', { picture, mood: ' fog,\nand rain ' })).toBe('Relight: fog, and rain');
  expect(await one('relight', { picture })).toBe('Relight: Storyboard, Shots: A harbour at dawn');
  const brought = `data:image/png;base64,${PICTURE.toString('base64')}`;
  expect(await one('relight', { picture: brought })).toBe('Relight');
});

test('what the moderation endpoint flags of a later step is refused before anything is made', async () => {
  const server = createServer(async (incoming, outgoing) => {
    const { input } = (await json(incoming)) as { input: string };
    outgoing.end(JSON.stringify({ results: [{ flagged: input.includes('A letter is opened') }] }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  Object.assign(env(), { MODERATION_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  onTestFinished(() => {
    Object.assign(env(), { MODERATION_URL: undefined });
    server.close();
  });
  const caller = await someone();
  await expect(estimateRun(caller, 'storyboard', STORY)).rejects.toMatchObject({ code: 'content_blocked' });
  await expect(start(caller)).rejects.toMatchObject({ code: 'content_blocked' });
  expect((await listRuns(caller.accountId, { limit: 5 })).data).toEqual([]);
  const harmless = { ...STORY, shots: ['A harbour at dawn'] };
  expect(await estimateRun(caller, 'storyboard', harmless)).toMatchObject({ issues: [] });
});

test('what fails is refunded, and a retry makes that alone', async () => {
  const caller = await someone();
  const { run } = await start(caller);
  await work();
  await grow(run.id);
  const [first, second] = live(await read(run.id));
  await fail(first!.request_id);
  await work();
  // the other one may still succeed
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

test('a retry is at the prices of its own moment, which a refusal leaves to be seen', async () => {
  const caller = await someone();
  const { run } = await start(caller);
  await work();
  await grow(run.id);
  for (const { request_id } of live(await read(run.id))) await fail(request_id);
  await work();
  // as if the model had cost less, then more, when the run began
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

test('a retry of what is not offered any more is refused at once, with what speaks against it', async () => {
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

test('a run stops where a step costs more than was said, in words of its own', async () => {
  const caller = await someone();
  const { run } = await start(caller);
  await work();
  await pool().query(`update recipe_runs set prices = '[[57], [57, 56]]' where id = $1`, [run.id]);
  await grow(run.id);
  expect(await read(run.id)).toMatchObject({
    status: 'failed',
    error: { code: 'price_above_limit', message: expect.stringContaining('than when the run began') },
  });
});

test.each([
  ['was deleted', (accountId: string, id: string) => removeGeneration(accountId, id)],
  [
    'expired',
    (_: string, id: string) =>
      pool().query(
        `with expired as (update media set expires_at = now() where request_id = $1)
        update requests set result = jsonb_set(result, '{expiresAt}', to_jsonb(now() - interval '1 second')) where id = $1`,
        [id],
      ),
  ],
])('a retry makes anew what %s, where something that is missing is made of it', async (_, lose) => {
  const caller = await someone();
  const { run } = await start(caller);
  await work();
  await grow(run.id);
  const [lineup] = (await read(run.id)).steps[0]!.requests;
  const [first, second] = live(await read(run.id));
  await fail(first!.request_id);
  await complete(second!.request_id);
  await work();
  await lose(caller.accountId, second!.request_id);
  expect(await read(run.id)).toMatchObject({ status: 'failed', billing: { gems_missing: STILL } });
  await lose(caller.accountId, lineup!.request_id);
  expect(await read(run.id)).toMatchObject({ billing: { gems_missing: 2 * STILL } });

  await retryRun(caller, run.id, 2 * STILL);
  await work();
  expect(live(await read(run.id))).toMatchObject([{ prompt: lineup!.prompt }]);
  await grow(run.id);
  expect(live(await read(run.id))).toMatchObject([{ prompt: first!.prompt }]);
  await grow(run.id);
  expect(await read(run.id)).toMatchObject({
    status: 'completed',
    billing: { gems_charged: 5 * STILL, gems_missing: 0 },
  });
});

test('what was deleted while its run goes on is made anew by a retry alone', async () => {
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
  // the stills were submitted with what was made anew: that it goes then makes nothing dearer
  await removeGeneration(caller.accountId, (await read(run.id)).steps[0]!.requests[0]!.request_id);
  await grow(run.id);
  expect(await read(run.id)).toMatchObject({ status: 'completed', billing: { gems_charged: WHOLE + STILL } });
});

test('a picture that was made with a recipe stands for it, and none that was removed', async () => {
  const caller = await someone();
  const { run } = await start(caller);
  await work();
  for (let step = 0; step < 2; step++) await grow(run.id);
  await pool().query(RENDITIONS, [run.id]);
  const made = (await read(run.id)).steps[1]!.requests.map(({ request_id }) => request_id).toSorted();
  const shown = async () => (await newestImages(caller.accountId)).get('storyboard');
  for (const id of made) {
    expect(await shown()).toContain(id);
    expect((await newestImages((await someone()).accountId)).get('storyboard')).toBeUndefined();
    await removeGeneration(caller.accountId, id);
  }
  expect(await shown()).toBeUndefined();
});

test('results have the order that the recipe gives them, and the first of them stands for it', async () => {
  const caller = await someone();
  const portrait = `data:image/png;base64,${PICTURE.toString('base64')}`;
  const { run } = await start(caller, { portrait }, { recipe: 'character_sheet' });
  await work();
  for (let step = 0; step < 3; step++) await grow(run.id);
  const { steps, results } = await read(run.id);
  const [figure, views, sheet] = steps.map(({ requests }) => requests);
  expect(results).toEqual([...sheet!, ...figure!, ...views!].map(({ result }) => result));
  await removeGeneration(caller.accountId, figure![0]!.request_id);
  expect((await read(run.id)).results).toEqual([...sheet!, ...views!].map(({ result }) => result));
  await pool().query(RENDITIONS, [run.id]);
  expect((await newestImages(caller.accountId)).get('character_sheet')).toContain(sheet![0]!.request_id);
});

test('a worker that dies in the middle of a step loses nothing and charges nothing twice', async () => {
  const caller = await someone();
  const { run } = await start(caller);
  await work();
  for (const { request_id } of live(await read(run.id))) await complete(request_id);
  // it took the task, submitted what it should, and was gone before it could say so
  const [task] = await takeTasks('runs', 1);
  await advanceRun(task!.subjectId);
  expect(await takeTasks('runs', 1)).toEqual([]);
  await pool().query('update outbox set due_at = default');
  await Promise.all([advanceRun(run.id), advanceRun(run.id), work()]);
  expect(live(await read(run.id))).toHaveLength(2);
  expect(await readBalance(caller.accountId)).toBe(1000 - WHOLE);
  await grow(run.id);
  expect(await read(run.id)).toMatchObject({ status: 'completed' });
  for (const { title, broken } of await checkLedger()) expect(broken, title).toBe(0);
});

test('a worker that is slow to end a run does not end its retry', async () => {
  const { run } = await start(await someone());
  await work();
  await fail(live(await read(run.id))[0]!.request_id);
  // between its look at the run and the end, another one ends it and its holder tries again
  const others = await begin();
  await others.query('update recipe_runs set attempt = attempt + 1 where id = $1', [run.id]);
  const ending = work();
  await commitWhenWaitedFor(others);
  await ending;
  expect(await read(run.id)).toMatchObject({ status: 'running' });
});

test('a cancelled run submits nothing more; what slipped through is refunded; a retry goes on', async () => {
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
  // between the look at the run and the submit, its holder cancels, tries again and cancels that
  await pool().query(
    `create function cancel_run() returns trigger language plpgsql as $$ begin
      update recipe_runs set status = 'cancelled', attempt = attempt + 1 where id = new.run_id; return new; end $$`,
  );
  await pool().query('create trigger cancel_run after insert on requests for each row execute function cancel_run()');
  await work();
  await pool().query('drop function cancel_run cascade');
  expect(await read(run.id)).toMatchObject({ billing: { gems_charged: 2 * STILL, gems_refunded: STILL } });
  expect(live(await read(run.id))).toEqual([]);
  // a worker that died between the submit and its second look at the run
  await pool().query(`update requests set status = 'queued', finished_at = null where run_id = $1 and not refunded`, [
    run.id,
  ]);
  await advanceRun(run.id);
  expect(await read(run.id)).toMatchObject({ billing: { gems_charged: 2 * STILL, gems_refunded: 2 * STILL } });
});

test('what was submitted while the cancel of its run was being written counts as missing, and is refunded by whoever looks next', async () => {
  const caller = await someone();
  const { run } = await start(caller);
  await work();
  await cancelRun(caller.accountId, run.id);
  // the cancel did not see it yet
  await pool().query(`update requests set status = 'queued', finished_at = null where run_id = $1`, [run.id]);
  expect(await read(run.id)).toMatchObject({ status: 'cancelled', billing: { gems_missing: WHOLE } });
  await work();
  expect(live(await read(run.id))).toEqual([]);
  expect(await readBalance(caller.accountId)).toBe(1000);
});

test('one request of a run that is cancelled stops the run', async () => {
  const caller = await someone();
  const { run } = await start(caller);
  await work();
  await cancelGeneration(caller.accountId, live(await read(run.id))[0]!.request_id);
  await work();
  expect(await read(run.id)).toMatchObject({ status: 'cancelled' });
});

test('gems that are gone by then, a revoked key: the step says so, and can be run again', async () => {
  const caller = await someone();
  const { run } = await start(caller);
  await work();
  const gems = (n: number) => pool().query('update accounts set balance = $2 where id = $1', [caller.accountId, n]);
  await gems(STILL + 1);
  await grow(run.id);
  await grow(run.id);
  expect(await read(run.id)).toMatchObject({ status: 'failed', error: { code: 'insufficient_gems', step: 'stills' } });
  await gems(5);
  await expect(retryRun(caller, run.id)).rejects.toMatchObject({ code: 'insufficient_gems' });
  // of what is missing alone
  await gems(STILL);
  await retryRun(caller, run.id);
  await revokeApiKey(caller.accountId, caller.keyId!);
  await work();
  expect(await read(run.id)).toMatchObject({ status: 'failed', error: { code: 'unauthorized', step: 'stills' } });
});

test('a full account is waited for', async () => {
  const caller = await someone();
  const { run } = await start(caller);
  await pool().query('update accounts set in_flight_limit = 1 where id = $1', [caller.accountId]);
  await work();
  await complete(live(await read(run.id))[0]!.request_id);
  await expect(work()).rejects.toMatchObject({ code: 'too_many_requests' });
  expect(await read(run.id)).toMatchObject({ status: 'running', error: null });
  await complete(live(await read(run.id))[0]!.request_id);
  await pool().query(`update outbox set due_at = default where consumer = 'runs'`);
  await work();
  await grow(run.id);
  expect(await read(run.id)).toMatchObject({ status: 'completed', billing: { gems_charged: WHOLE } });
});

test('a price that rose meanwhile is not paid', async () => {
  const caller = await someone();
  const { run } = await start(caller);
  await pool().query('update recipe_runs set prices = $2 where id = $1', [
    run.id,
    JSON.stringify([[STILL - 1], [1, 1]]),
  ]);
  await work();
  expect(await read(run.id)).toMatchObject({ status: 'failed', error: { code: 'price_above_limit', step: 'lineup' } });
  expect(await readBalance(caller.accountId)).toBe(1000);
});

test('a key starts one run, whatever is sent with it, at once or later', async () => {
  const caller = await someone();
  const same = { key: 'mine' };
  const both = await Promise.all([start(caller, STORY, same), start(caller, STORY, same)]);
  const again = await start(caller, { shots: [] }, same);
  expect(new Set([...both, again].map(({ run }) => run.id)).size).toBe(1);
  expect(again.replayed).toBe(true);
  await work();
  expect(await readBalance(caller.accountId)).toBe(1000 - STILL);
  for (const other of [await someone(), await keyFor(caller.accountId)])
    expect((await start(other, STORY, same)).replayed).toBe(false);
});

test('files are taken in once, at the start', async () => {
  const caller = await someone();
  const picture = `data:image/png;base64,${PICTURE.toString('base64')}`;
  const { run } = await start(caller, { picture, light: 'neon' }, { recipe: 'relight' });
  expect(String(run.inputs.picture)).toMatch(/\/media\/input\//);
  await work();
  const [request] = live(await read(run.id));
  expect(request?.prompt).toContain('neon tubes in magenta and cyan');
  expect(request?.prompt).not.toMatch(/{{|undefined/);
});

/** A file of the account's. */
async function keep(accountId: string, kind: 'upload' | 'input', bytes = PICTURE): Promise<string> {
  const key = newMediaKey(kind, 'image/png');
  await storage().put(key, bytes, 'image/png');
  const expiresAt = new Date(Date.now() + 60_000);
  const file = { id: newId(), key, contentType: 'image/png', bytes: PICTURE.length };
  await db()
    .insert(media)
    .values({ ...file, accountId, kind, expiresAt });
  return key;
}

test('what a file is of may be deleted once the run has begun', async () => {
  const caller = await someone();
  const key = await keep(caller.accountId, 'upload');
  const { run } = await start(caller, { portrait: storage().url(key) }, { recipe: 'character_sheet' });
  await db().update(media).set({ expiresAt: new Date() }).where(eq(media.key, key));
  await storage().delete(key);
  await work();
  for (let step = 0; step < 3; step++) await grow(run.id);
  expect(await read(run.id)).toMatchObject({ status: 'completed', error: null });
});

test('a run finds room for what the account has already', async () => {
  const caller = await someone();
  const key = await keep(caller.accountId, 'upload');
  const { LIMIT_STORED_BYTES } = env();
  Object.assign(env(), { LIMIT_STORED_BYTES: PICTURE.length });
  onTestFinished(() => void Object.assign(env(), { LIMIT_STORED_BYTES }));
  const { run } = await start(caller, { portrait: storage().url(key) }, { recipe: 'character_sheet' });
  expect(String(run.inputs.portrait)).toMatch(/\/media\/input\//);
});

test('of a run that is refused nothing is kept, not even the copy without what a camera wrote', async () => {
  const caller = { ...(await someone()), inFlightLimit: 1 };
  await start(caller);
  const photo = await makeImage(30, 20).withMetadata({ orientation: 6 }).png().toBuffer();
  const picture = storage().url(await keep(caller.accountId, 'upload', photo));
  const refused = start(caller, { picture, light: 'neon' }, { recipe: 'relight' });
  await expect(refused).rejects.toMatchObject({ code: 'too_many_requests' });
  const { rows } = await pool().query('select kind from media where account_id = $1', [caller.accountId]);
  expect(rows).toEqual([{ kind: 'upload' }]);
});

test('an address is fetched once for all steps, which go by what it had', async () => {
  const caller = await someone();
  const address = 'https://example.com/ana.png';
  const { run } = await start(caller, { portrait: address }, { recipe: 'character_sheet' });
  await work();
  const [first] = live(await read(run.id));
  const fetched = storage().url(await keep(caller.accountId, 'input'));
  await pool().query(`update requests set fetched = true, body = replace(body::text, $2, $3)::jsonb where id = $1`, [
    first!.request_id,
    address,
    fetched,
  ]);
  await grow(run.id);
  const bodies = await pool().query<{ body: unknown }>('select body from requests where run_id = $1 order by id', [
    run.id,
  ]);
  expect(bodies.rows.length).toBeGreaterThan(1);
  for (const { body } of bodies.rows) {
    expect(JSON.stringify(body)).not.toContain(address);
    expect(JSON.stringify(body)).toContain(fetched);
  }
});

test('a retry after the price rose goes by the film that was fetched, whose link has ended', async () => {
  const caller = await someone(9000);
  const film = `data:video/mp4;base64,${(await makeAv('mp4', { seconds: 3 })).toString('base64')}`;
  const { run } = await start(caller, { film, music: 'a piano', scene: 'rain' }, { recipe: 'score_video' });
  await work();
  await grow(run.id);
  const [scored] = live(await read(run.id));
  // as it is when the film was given by an address
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

test.each([
  ['what it does not have', 'storyboard', { cast: 'Mara' }, 'invalid_config', ['/shots']],
  ['an empty list', 'storyboard', { ...STORY, shots: [] }, 'invalid_config', ['/shots']],
  [
    'all at once',
    'storyboard',
    { shots: 'one', cast: 7, quality: 'worst' },
    'invalid_config',
    ['/shots', '/cast', '/quality'],
  ],
  ['too many shots', 'storyboard', { ...STORY, shots: Array(13).fill('a shot') }, 'invalid_config', ['/shots']],
  ['a handle nobody has', 'storyboard', { ...STORY, cast: '@nobody-here' }, 'invalid_config', ['/cast']],
  ['a file that is none', 'relight', { picture: 'data:image/png;base64,AAAA' }, 'invalid_config', ['/picture']],
  ['a prompt against the policy', 'storyboard', { ...STORY, shots: ['child porn'] }, 'content_blocked', undefined],
  ['a recipe that is none', 'storybord', STORY, 'recipe_not_found', undefined],
])('a start refuses %s, and charges nothing', async (_, recipe, body, code, paths) => {
  const caller = await someone();
  const refusal = await start(caller, body, { recipe }).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code });
  const { issues } = (refusal as { extra: { issues?: { path: string }[] } }).extra;
  expect(issues?.map(({ path }) => path)).toEqual(paths);
  expect(await readBalance(caller.accountId)).toBe(1000);
  expect((await pool().query('select from outbox')).rowCount).toBe(0);
});

test('a start refuses a price of the whole that is too high for the balance, the budget of the key or Max-Gems', async () => {
  const message = expect.stringMatching(`^This run costs ${WHOLE} gems`);
  const insufficient = { code: 'insufficient_gems', message, extra: { gems_required: WHOLE } };
  await expect(start(await someone(WHOLE - 1))).rejects.toMatchObject(insufficient);
  await expect(start(await someone(1000, { monthlyBudget: WHOLE - 1 }))).rejects.toMatchObject(insufficient);
  await expect(start(await someone(), STORY, { maxGems: WHOLE - 1 })).rejects.toMatchObject({
    code: 'price_above_limit',
  });
});

test('with auto top-up on, a run is started and run again where what it lacks can be bought, and its requests buy it', async () => {
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

test('what was under way when a run was run again, and is cancelled then, ends the run', async () => {
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

test('what is still being made is neither missing nor paid again', async () => {
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

test('where generation is switched off, nothing is estimated, started or run again', async () => {
  const caller = await someone();
  const { run } = await start(caller);
  await cancelRun(caller.accountId, run.id);
  const off = { ...caller, mayGenerate: false };
  const config = { prompt: 'a fig' };
  for (const ask of [
    () => start(off),
    () => retryRun(off, run.id),
    () => estimateRun(off, 'storyboard', STORY),
    () => estimateGeneration(off, 'z_image', config),
  ])
    await expect(ask()).rejects.toMatchObject({ code: 'forbidden' });
  expect(await read(run.id)).toMatchObject({ status: 'cancelled' });
});

test('with auto top-up on, nothing is bought for a run that is refused', async () => {
  const caller = { ...(await someone(5)), autoTopUp: true, inFlightLimit: 1 };
  const { accountId } = caller;
  await changeAccount(COMMAND_LINE, accountId, { topUpLimit: 5000 });
  await setAutoTopUp(accountId, { threshold: 0, gems: 100, monthlyLimit: 5000 });
  const cut = `data:image/png;base64,${PICTURE.subarray(0, PICTURE.length / 2).toString('base64')}`;
  await expect(start(caller, { picture: cut, light: 'neon' }, { recipe: 'relight' })).rejects.toMatchObject({
    code: 'invalid_config',
  });
  expect(await readBalance(accountId)).toBe(5);
  await start(caller);
  await pool().query('update accounts set balance = 5 where id = $1', [accountId]);
  await expect(start(caller)).rejects.toMatchObject({ code: 'too_many_requests' });
  expect(await readBalance(accountId)).toBe(5);
});

test('an estimate says whether balance and budget are enough for the whole', async () => {
  const estimate = (caller: Caller) => estimateRun(caller, 'storyboard', STORY);
  expect(await estimate(await someone(WHOLE))).toMatchObject({ enough: true });
  expect(await estimate(await someone(WHOLE - 1))).toMatchObject({ enough: false });
  const budget = (monthlyBudget: number) => someone(1000, { monthlyBudget });
  expect(await estimate(await budget(WHOLE))).toMatchObject({ enough: true, budget_left: WHOLE });
  expect(await estimate(await budget(WHOLE - 1))).toMatchObject({ enough: false, budget_left: WHOLE - 1 });
});

test('what a run was given is not kept when it is refused at last', async () => {
  const caller = { ...(await someone()), inFlightLimit: 1 };
  const started = await Promise.allSettled(
    [1, 2, 3].map(async n => {
      const picture = (
        await makeImage(64, 60 + n)
          .png()
          .toBuffer()
      ).toString('base64');
      return start(caller, { picture: `data:image/png;base64,${picture}`, light: 'neon' }, { recipe: 'relight' });
    }),
  );
  expect(started.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const { rows } = await pool().query('select from media where account_id = $1', [caller.accountId]);
  expect(rows).toHaveLength(1);
});

test('runs are listed newest first, page by page, and by their recipe', async () => {
  const caller = await someone();
  const image = `data:image/png;base64,${PICTURE.toString('base64')}`;
  const made = [
    await start(caller),
    await start(caller, { picture: image, light: 'neon' }, { recipe: 'relight' }),
    await start(caller),
  ].map(({ run }) => run.id);
  const list = async (wanted: { cursor?: string | undefined; recipe?: string } = {}) => {
    const { data, nextCursor } = await listRuns(caller.accountId, { limit: 2, ...wanted });
    return { ids: data.map(({ id }) => id), cursor: nextCursor ?? undefined };
  };
  const first = await list();
  const second = await list({ cursor: first.cursor });
  expect([first.ids, second.ids]).toEqual([[made[2], made[1]], [made[0]]]);
  expect(second.cursor).toBeUndefined();
  expect((await list({ recipe: 'relight' })).ids).toEqual([made[1]]);
});

test("another account's run is none", async () => {
  const { run } = await start(await someone());
  const other = await someone();
  await expect(cancelRun(other.accountId, run.id)).rejects.toMatchObject({ code: 'run_not_found' });
  await expect(retryRun(other, run.id)).rejects.toMatchObject({ code: 'run_not_found' });
  await expect(retryRun(other, 'no-id')).rejects.toMatchObject({ code: 'run_not_found' });
});

test('who acts later is who asked, with the limits of now', async () => {
  const caller = await someone(1000, { monthlyBudget: 7 });
  expect(await findCallerById(caller.accountId, caller.keyId)).toEqual(caller);
  expect(await findCallerById(caller.accountId, null)).toMatchObject({ keyId: null, monthlyBudget: null });
  expect(await findCallerById((await someone()).accountId, caller.keyId)).toBeNull();
  const { accountId, keyId } = await someone();
  await pool().query('update api_keys set expires_at = now() where id = $1', [keyId]);
  expect(await findCallerById(accountId, keyId)).toBeNull();
  await pool().query('update accounts set disabled_at = now() where id = $1', [caller.accountId]);
  expect(await findCallerById(caller.accountId, caller.keyId)).toBeNull();
});
