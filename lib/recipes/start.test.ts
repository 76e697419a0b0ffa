import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { COMMAND_LINE } from '#lib/accounts/audit';
import { setAutoTopUp } from '#lib/accounts/auto-top-up';
import type { Caller } from '#lib/accounts/callers';
import { changeAccount } from '#lib/accounts/govern';
import { readBalance } from '#lib/accounts/ledger';
import { keyFor } from '#lib/accounts/test-callers';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { env } from '#lib/env';
import { begin, commitWhenWaitedFor } from '#lib/life/test-requests';
import { makeImage } from '#lib/media/media-test-files';
import { estimateRun } from '#lib/recipes/estimate';
import { cancelRun } from '#lib/recipes/stop-and-retry';
import { storage } from '#lib/storage/store';
import { keep, live, PICTURE, read, someone, start, STILL, STORY, WHOLE, work } from '#lib/recipes/test-runs';

await useOwnDatabase();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-recipe-starts-'));
process.env.LOG_LEVEL = 'silent';

beforeEach(() => pool().query('delete from outbox'));

test('an idempotency key of a caller starts one run, whatever concurrent or later requests send with it', async () => {
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

test('an idempotency key that another process uses at the same time starts one run', async () => {
  const caller = await someone();
  const { run } = await start(caller);
  const elsewhere = await begin();
  const { rows } = await elsewhere.query<{ id: string }>(
    `insert into recipe_runs select (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(), 'key', 'mine'))).*
    from recipe_runs r where id = $1 returning id`,
    [run.id],
  );
  const again = start(caller, STORY, { key: 'mine' });
  await commitWhenWaitedFor(elsewhere);
  expect(await again).toMatchObject({ replayed: true, run: { id: rows[0]!.id } });
});

test('a run started by another process at the same time counts towards the in-flight limit', async () => {
  const caller = { ...(await someone()), inFlightLimit: 1 };
  const { run } = await start(caller);
  await cancelRun(caller.accountId, run.id);
  const elsewhere = await begin();
  await elsewhere.query('select from accounts where id = $1 for no key update', [caller.accountId]);
  await elsewhere.query(`update recipe_runs set status = 'running' where id = $1`, [run.id]);
  const refused = expect(start(caller)).rejects.toMatchObject({ code: 'too_many_requests' });
  await commitWhenWaitedFor(elsewhere);
  await refused;
});

test('a run stores its input file at the start, and its prompt has all placeholders filled in', async () => {
  const caller = await someone();
  const picture = `data:image/png;base64,${PICTURE.toString('base64')}`;
  const { run } = await start(caller, { picture, light: 'neon' }, { recipe: 'relight' });
  expect(String(run.inputs.picture)).toMatch(/\/media\/input\//);
  await work();
  const [request] = live(await read(run.id));
  expect(request?.prompt).toContain('neon tubes in magenta and cyan');
  expect(request?.prompt).not.toMatch(/{{|undefined/);
});

test('an upload can be used in a run when the account has no storage left', async () => {
  const caller = await someone();
  const key = await keep(caller.accountId, 'upload');
  const { LIMIT_STORED_BYTES } = env();
  Object.assign(env(), { LIMIT_STORED_BYTES: PICTURE.length });
  onTestFinished(() => void Object.assign(env(), { LIMIT_STORED_BYTES }));
  const { run } = await start(caller, { portrait: storage().url(key) }, { recipe: 'character_sheet' });
  expect(String(run.inputs.portrait)).toMatch(/\/media\/input\//);
});

test('a refused run keeps no copy of its input file, not even the one without metadata', async () => {
  const caller = { ...(await someone()), inFlightLimit: 1 };
  await start(caller);
  const photo = await makeImage(30, 20).withMetadata({ orientation: 6 }).png().toBuffer();
  const picture = storage().url(await keep(caller.accountId, 'upload', photo));
  const refused = start(caller, { picture, light: 'neon' }, { recipe: 'relight' });
  await expect(refused).rejects.toMatchObject({ code: 'too_many_requests' });
  const { rows } = await pool().query('select kind from media where account_id = $1', [caller.accountId]);
  expect(rows).toEqual([{ kind: 'upload' }]);
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

test('a start is refused if the whole price exceeds the balance, the budget of the key or Max-Gems', async () => {
  const message = expect.stringMatching(`^This run costs ${WHOLE} gems`);
  const insufficient = { code: 'insufficient_gems', message, extra: { gems_required: WHOLE } };
  await expect(start(await someone(WHOLE - 1))).rejects.toMatchObject(insufficient);
  await expect(start(await someone(1000, { monthlyBudget: WHOLE - 1 }))).rejects.toMatchObject(insufficient);
  await expect(start(await someone(), STORY, { maxGems: WHOLE - 1 })).rejects.toMatchObject({
    code: 'price_above_limit',
  });
});

test('with auto top-up on, nothing is bought for a refused run', async () => {
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

test('an estimate says whether balance and key budget cover the whole run', async () => {
  const estimate = (caller: Caller) => estimateRun(caller, 'storyboard', STORY);
  expect(await estimate(await someone(WHOLE))).toMatchObject({ enough: true });
  expect(await estimate(await someone(WHOLE - 1))).toMatchObject({ enough: false });
  const budget = (monthlyBudget: number) => someone(1000, { monthlyBudget });
  expect(await estimate(await budget(WHOLE))).toMatchObject({ enough: true, budget_left: WHOLE });
  expect(await estimate(await budget(WHOLE - 1))).toMatchObject({ enough: false, budget_left: WHOLE - 1 });
});

test('concurrent starts that are refused do not keep their input files', async () => {
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
