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
import { findCallerById } from '#lib/accounts/callers';
import { checkLedger } from '#lib/ledger-check/check-ledger';
import { readBalance } from '#lib/accounts/ledger';
import { db, pool } from '#lib/db/client';
import { media } from '#lib/db/schema';
import { useOwnDatabase } from '#lib/db/test-database';
import { env } from '#lib/env';
import { estimateGeneration } from '#lib/generations/estimate';
import { removeGeneration } from '#lib/generations/remove';
import { takeTasks } from '#lib/life/outbox';
import { advanceRun } from '#lib/recipes/advance';
import { estimateRun } from '#lib/recipes/estimate';
import { newestImages } from '#lib/recipes/newest-images';
import { listRuns } from '#lib/recipes/runs';
import { cancelRun, retryRun } from '#lib/recipes/stop-and-retry';
import { storage } from '#lib/storage/store';
import {
  complete,
  fail,
  grow,
  keep,
  live,
  PICTURE,
  read,
  someone,
  start,
  STILL,
  STORY,
  WHOLE,
  work,
} from '#lib/recipes/test-runs';

await useOwnDatabase();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-recipes-'));
process.env.LOG_LEVEL = 'silent';

beforeEach(() => pool().query('delete from outbox'));

/** Adds renditions with the ids of their requests to the results of a run. */
const RENDITIONS = `update requests set result = result || jsonb_build_object('renditions',
  jsonb_build_array(jsonb_build_object('key', 'preview/' || id || '.webp'))) where run_id = $1`;

test('a run executes its steps in order and costs what was estimated', async () => {
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

test('requests of a run are titled by recipe, step and input', async () => {
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

test('a run is refused before it starts if the moderation endpoint flags content of a later step', async () => {
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

test('a run fails with a message of its own when a later step costs more than at the start', async () => {
  const caller = await someone();
  const { run } = await start(caller);
  await work();
  await pool().query(`update recipe_runs set prices = '[[57], [57, 56]]' where id = $1`, [run.id]);
  await grow(run.id);
  expect(await read(run.id)).toMatchObject({
    status: 'failed',
    error: { code: 'price_above_limit', message: expect.stringContaining('than when the run started') },
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
])('a retry makes a result that %s again only if a missing request is made from it', async (_, lose) => {
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

test('a recipe is illustrated by an own image made with it, unless that image was removed', async () => {
  const caller = await someone();
  const { run } = await start(caller);
  await work();
  for (let step = 0; step < 2; step++) await grow(run.id);
  await pool().query(RENDITIONS, [run.id]);
  const made = (await read(run.id)).steps[1]!.requests.map(({ request_id }) => request_id).toSorted();
  const shown = async () => (await newestImages(caller.accountId)).get('storyboard');
  expect(made).toHaveLength(2);
  for (const id of made) {
    expect(await shown()).toContain(id);
    expect((await newestImages((await someone()).accountId)).get('storyboard')).toBeUndefined();
    await removeGeneration(caller.accountId, id);
  }
  expect(await shown()).toBeUndefined();
});

test('results are in the order that the recipe defines, and the first one illustrates the recipe', async () => {
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

test('a worker crash in the middle of a step loses nothing and charges nothing twice', async () => {
  const caller = await someone();
  const { run } = await start(caller);
  await work();
  for (const { request_id } of live(await read(run.id))) await complete(request_id);
  // the worker took the task and submitted the requests, but crashed before it could drop the task
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

test('a step without enough gems can be retried once there are enough, and a revoked key fails the step', async () => {
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
  // the retry needs the gems for the missing requests only
  await gems(STILL);
  await retryRun(caller, run.id);
  await revokeApiKey(caller.accountId, caller.keyId!);
  await work();
  expect(await read(run.id)).toMatchObject({ status: 'failed', error: { code: 'unauthorized', step: 'stills' } });
});

test('a run waits while its account is at the in-flight limit', async () => {
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

test('a database failure at a step does not end the run', async () => {
  const { run } = await start(await someone());
  await pool().query(`create function refuse() returns trigger language plpgsql as $$ begin raise 'out'; end $$`);
  await pool().query('create trigger refuse before insert on requests for each row execute function refuse()');
  await expect(work().finally(() => pool().query('drop function refuse cascade'))).rejects.toThrow();
  expect(await read(run.id)).toMatchObject({ status: 'running', error: null });
});

test('a run whose first step costs more than at the start fails without a charge', async () => {
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

test('an input file may be deleted once the run has started', async () => {
  const caller = await someone();
  const key = await keep(caller.accountId, 'upload');
  const { run } = await start(caller, { portrait: storage().url(key) }, { recipe: 'character_sheet' });
  await db().update(media).set({ expiresAt: new Date() }).where(eq(media.key, key));
  await storage().delete(key);
  await work();
  for (let step = 0; step < 3; step++) await grow(run.id);
  expect(await read(run.id)).toMatchObject({ status: 'completed', error: null });
});

test('an input URL is fetched once, and all steps use the fetched file', async () => {
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

test('with generation switched off, nothing can be estimated, started or retried', async () => {
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

test('runs are listed newest first, in pages, and can be filtered by recipe', async () => {
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

test('findCallerById returns the caller with its limits, or null after its key expires or its account is disabled', async () => {
  const caller = await someone(1000, { monthlyBudget: 7 });
  expect(await findCallerById(caller.accountId, caller.keyId)).toEqual(caller);
  expect(await findCallerById(caller.accountId, null)).toMatchObject({ keyId: null, monthlyBudget: null });
  expect(await findCallerById((await someone()).accountId, caller.keyId)).toBeNull();
  const { accountId, keyId } = await someone();
  await pool().query(`update api_keys set expires_at = now() - interval '1 second' where id = $1`, [keyId]);
  expect(await findCallerById(accountId, keyId)).toBeNull();
  await pool().query('update accounts set disabled_at = now() where id = $1', [caller.accountId]);
  expect(await findCallerById(caller.accountId, caller.keyId)).toBeNull();
});
