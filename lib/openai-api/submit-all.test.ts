import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { createApiKey } from '#lib/accounts/api-keys';
import { COMMAND_LINE } from '#lib/accounts/audit';
import { setAutoTopUp } from '#lib/accounts/auto-top-up';
import { verifyApiKey, type Caller } from '#lib/accounts/callers';
import { changeAccount } from '#lib/accounts/govern';
import { grantGems, readBalance } from '#lib/accounts/ledger';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import type { AppError } from '#lib/errors';
import type { Handler } from '#lib/http/route';
import { newId } from '#lib/ids';
import { submitAll } from '#lib/openai-api/submit-all';
import { getModel } from '#lib/openai-api/models';

await useOwnDatabase();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-make-'));
process.env.LOG_LEVEL = 'silent';

const ROUTES = join(import.meta.dirname, '../../app/openai/v1');

const PEAR = 'https://example.com/pear.png';
const asReference = (image_url: string) => ({ image_url });

/** Opens an account with this many gems, which submits images for ten gems each. */
async function open(gems: number) {
  const { id } = await createAccount({ email: `${newId()}@example.com`, gems });
  const { key } = await createApiKey(id, { name: 'test' });
  const call = async () => (await verifyApiKey(key)) as Caller;
  const ask = async (n: number, key?: string, more: object = {}, maxGems?: number) => {
    const headers = new Headers();
    if (key !== undefined) headers.set('idempotency-key', key);
    if (maxGems !== undefined) headers.set('max-gems', String(maxGems));
    const request = new Request('http://localhost/openai/v1/images/generations', { headers });
    const made = await submitAll({
      caller: await call(),
      architecture: getModel('z_image'),
      config: { prompt: 'a pear', ...more },
      n,
      request,
    });
    return made.map(({ generation }) => generation.id);
  };
  const allow = (live: number) => changeAccount(COMMAND_LINE, id, { inFlightLimit: live });
  /** Sets auto top-up to buy `gems` at a time; the operator allows `topUpLimit` gems on the statement. */
  const topsUp = async (gems: number, topUpLimit: number) => {
    await changeAccount(COMMAND_LINE, id, { topUpLimit });
    await setAutoTopUp(id, { threshold: 0, gems, monthlyLimit: 1000 });
  };
  const grant = (gems: number) => grantGems(id, { gems, reason: 'more', kind: 'grant' });
  return { key, ask, allow, topsUp, grant, balance: () => readBalance(id) };
}

/** Posts a JSON body to a path of the API and returns the response. */
async function post(path: string, body: object, headers: Record<string, string>): Promise<Response> {
  const { POST } = (await import(/* @vite-ignore */ join(ROUTES, path, 'route.ts'))) as { POST: Handler };
  const request = new Request(`http://localhost/openai/v1/${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return POST(request, { params: Promise.resolve({}) });
}

test.each([
  ['audio/speech', 'input', { model: 'seed_audio', input: 'a'.repeat(3001) }],
  ['images/edits', 'image', { model: 'mango', prompt: 'at night', image: [PEAR, 'a plum'] }],
  ['images/edits', 'images', { model: 'mango', prompt: 'at night', images: [PEAR, 'a plum'].map(asReference) }],
  ['videos', 'input_reference', { model: 'lemon', prompt: 'a pear', input_reference: 'a pear' }],
  ['images/generations', 'seed', { model: 'z_image', prompt: 'a pear', seed: 'seven' }],
])('an error of %s names the field as the client sent it: %s', async (path, param, body) => {
  const { key } = await open(1000);
  const { error } = await (await post(path, body, { authorization: `Bearer ${key}` })).json();
  expect(error).toMatchObject({ param, message: expect.stringMatching(`^${param} `), code: 'invalid_config' });
});

test.each([
  ['images/generations', 'background', { background: 'transparent' }],
  ['images/edits', 'background', { image: PEAR, background: 'transparent' }],
  ['images/edits', 'markup', { image: PEAR, markup: PEAR }],
  ['images/edits', 'image', {}],
  ['images/edits', 'image', { image: PEAR, images: [asReference(PEAR)] }],
  ['images/edits', 'images', { images: [] }],
  ['images/edits', 'images', { images: Array.from({ length: 17 }, () => asReference(PEAR)) }],
  ['images/edits', 'images', { images: [{ image_url: PEAR, file_id: 'file-1' }] }],
])('a call of %s is refused for its %s: %j', async (path, param, body) => {
  const { key, balance } = await open(1000);
  const { error } = await (await post(path, { prompt: 'a pear', ...body }, { authorization: `Bearer ${key}` })).json();
  expect(error).toMatchObject({ param, message: expect.stringContaining(param), code: 'invalid_request' });
  expect(await balance()).toBe(1000);
});

test('a video that is live, or has no id, is not deleted, and the error has the OpenAI shape', async () => {
  const { key } = await open(1000);
  const headers = { authorization: `Bearer ${key}` };
  const { id } = await (await post('videos', { model: 'lemon', prompt: 'a pear' }, headers)).json();
  const remove = async (file: string, at: string) => {
    const { DELETE } = (await import(/* @vite-ignore */ join(ROUTES, file, 'route.ts'))) as { DELETE: Handler };
    const request = new Request(`http://localhost/openai/v1/videos/${at}`, { method: 'DELETE', headers });
    return (await DELETE(request, { params: Promise.resolve({ video_id: at }) })).json();
  };
  const shape = { type: 'invalid_request_error', param: null };
  const cancel = expect.stringContaining(`POST /v1/requests/${id}/cancel`);
  expect(await remove('videos/[video_id]', id)).toEqual({ error: { ...shape, code: 'request_live', message: cancel } });
  const slash = expect.stringContaining('must not end in a slash');
  expect(await remove('../[[...path]]', '')).toEqual({ error: { ...shape, code: 'invalid_request', message: slash } });
});

test.each(['', 'k'.repeat(256)])(
  'an idempotency key that is empty or longer than 255 characters is refused without a charge',
  async key => {
    const { ask, balance } = await open(100);
    await expect(ask(2, key)).rejects.toMatchObject({
      code: 'invalid_request',
      extra: { issues: [{ path: '/idempotency-key' }] },
    });
    expect(await balance()).toBe(100);
    expect(await ask(2, 'k'.repeat(255))).toHaveLength(2);
  },
);

test.each([undefined, 'pears'])(
  'no image is charged when the gems do not suffice for all images, with the idempotency key %j',
  async key => {
    const { ask, balance } = await open(25);
    await expect(ask(3, key)).rejects.toMatchObject({ code: 'insufficient_gems', extra: { gems_required: 30 } });
    expect(await balance()).toBe(25);
  },
);

test.each<[string, object]>([
  ['insufficient_gems', {}],
  ['content_blocked', { prompt: 'nude child' }],
])('a refusal of several images is replayed under their idempotency key: %s', async (code, more) => {
  const { ask, balance } = await open(0);
  const refuse = async () => {
    const refused = await ask(3, 'pears', more).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code, message: expect.stringContaining('needs a new Idempotency-Key') });
    return (refused as AppError).extra.request_id;
  };
  const requestId = await refuse();
  expect(requestId).toEqual(expect.any(String));
  expect(await refuse()).toBe(requestId);
  expect(await balance()).toBe(0);
});

test.each([1, 3])('an invalid body is reported before the price is compared with Max-Gems, with n = %d', async n => {
  const { ask } = await open(0);
  await expect(ask(n, undefined, { seed: 'seven' }, 1)).rejects.toMatchObject({ code: 'invalid_config' });
});

test('auto top-up buys the gems missing for all images; if it cannot, no image is charged', async () => {
  const { ask, balance, topsUp } = await open(25);
  await topsUp(10, 0);
  await expect(ask(3)).rejects.toMatchObject({ code: 'insufficient_gems', extra: { gems_required: 30 } });
  expect(await balance()).toBe(25);
  await topsUp(10, 10);
  expect(await ask(3)).toHaveLength(3);
  expect(await balance()).toBe(5);
});

test('auto top-up buys nothing for a refused submission', async () => {
  const { ask, balance, topsUp } = await open(5);
  await topsUp(50, 500);
  await expect(ask(3, undefined, { seed: 'seven' })).rejects.toMatchObject({ code: 'invalid_config' });
  await expect(ask(3, undefined, {}, 29)).rejects.toMatchObject({ code: 'price_above_limit' });
  expect(await balance()).toBe(5);
});

test('auto top-up buys nothing for images beyond the in-flight limit', async () => {
  const { ask, allow, balance, topsUp } = await open(0);
  await topsUp(10, 500);
  await allow(1);
  expect(await ask(4)).toHaveLength(1);
  expect(await balance()).toBe(0);
});

test('Max-Gems is compared with the total price of all images', async () => {
  const { ask, balance } = await open(100);
  for (const [n, maxGems] of [
    [1, 9],
    [3, 29],
  ] as const)
    await expect(ask(n, undefined, {}, maxGems)).rejects.toMatchObject({ code: 'price_above_limit' });
  expect(await balance()).toBe(100);
  expect(await ask(3, undefined, {}, 30)).toHaveLength(3);
});

test('a repeated idempotency key returns the same requests even when no gems are left', async () => {
  const { ask, balance } = await open(30);
  const made = await ask(3, 'pears');
  expect(await balance()).toBe(0);
  expect(await ask(3, 'pears')).toEqual(made);
});

test.each(['pears 1', 'pears 2'])(
  'images under the idempotency key pears are distinct from those under the key %j',
  async key => {
    const { ask, balance } = await open(100);
    const [alone] = await ask(1, key);
    const made = await ask(2, 'pears');
    expect(made).not.toContain(alone);
    expect(await ask(1, key)).toEqual([alone]);
    expect(await ask(2, 'pears')).toEqual(made);
    expect(await balance()).toBe(70);
  },
);

test('an idempotency key is refused for a different call, and only one response reports the charge', async () => {
  const { key, ask, balance } = await open(1000);
  await ask(1, 'pears');
  const before = await balance();
  const film = { model: 'lemon', prompt: 'pears in the wind' };
  const headers = { authorization: `Bearer ${key}` };
  const refused = await post('videos', film, { ...headers, 'idempotency-key': 'pears' });
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ error: { message: expect.stringContaining('Send another key.') } });
  expect(await balance()).toBe(before);
  const [first, again] = [1, 2].map(() => post('videos', film, { ...headers, 'idempotency-key': 'wind' }));
  const gems = [await first!, await again!].map(({ headers }) => headers.get('pomona-gems'));
  expect(gems.toSorted()).toEqual(['0', String(before - (await balance()))]);
  const last = await post('videos', film, { ...headers, 'idempotency-key': 'wind' });
  expect([last.headers.get('pomona-gems'), last.headers.get('idempotency-replayed')]).toEqual(['0', 'true']);
});

test.each([
  ['was deleted', 'removed_at = now()'],
  ['has expired', `result = jsonb_set(result, '{expiresAt}', '"2020-01-01T00:00:00.000Z"')`],
])('repeating the submission of a video that %s since answers 410 media_expired', async (_, becomes) => {
  const { key, balance } = await open(1000);
  const headers = { authorization: `Bearer ${key}`, 'idempotency-key': 'wind' };
  const film = { model: 'lemon', prompt: 'pears in the wind' };
  const { id } = (await (await post('videos', film, headers)).json()) as { id: string };
  const result = { key: 'result/x.mp4', contentType: 'video/mp4', expiresAt: '9999-12-31T23:59:59.999Z' };
  await pool().query(`update requests set status = 'completed', finished_at = now(), result = $2 where id = $1`, [
    id,
    result,
  ]);
  expect(await (await post('videos', film, headers)).json()).toMatchObject({ id, status: 'completed' });
  await pool().query(`update requests set ${becomes} where id = $1`, [id]);
  const before = await balance();
  const gone = await post('videos', film, headers);
  expect([gone.status, (await gone.json()).error.code]).toEqual([410, 'media_expired']);
  expect(await balance()).toBe(before);
});

test('requests that an earlier version stored under a key are found again and not charged twice', async () => {
  const { ask, balance } = await open(100);
  const made = await ask(2, 'pears');
  await pool().query(`update submissions set key = replace(key, E'\\n', ' ') where request_id = any($1)`, [made]);
  const migration = join(import.meta.dirname, '../db/migrations/0043_keys_of_pictures.sql');
  await pool().query(await readFile(migration, 'utf8'));
  expect(await ask(2, 'pears')).toEqual(made);
  expect(await balance()).toBe(80);
});

test('repeating a call that made too few images makes the rest if the limit and the gems suffice for all', async () => {
  const { ask, allow, balance, grant } = await open(45);
  await allow(2);
  const made = await ask(4, 'pears');
  expect(made).toHaveLength(2);
  await allow(20);
  await ask(1);
  expect(await ask(4, 'pears')).toEqual(made);
  expect(await balance()).toBe(15);
  expect(await ask(3, 'pears')).toEqual([...made, expect.any(String)]);
  expect(await balance()).toBe(5);
  await grant(15);
  expect(await ask(5, 'pears')).toHaveLength(5);
});

test.each([
  [7, [7, 8, 9]],
  [2 ** 32 - 2, [2 ** 32 - 2, 2 ** 32 - 1, 0]],
])('several images with the seed %d get consecutive seeds', async (seed, seeds) => {
  const { ask } = await open(30);
  const made = await ask(3, 'pears', { seed });
  const { rows } = await pool().query<{ seed: number }>('select seed from requests where id = any($1) order by id', [
    made,
  ]);
  expect(rows.map(row => row.seed)).toEqual(seeds);
  expect(await ask(3, 'pears', { seed })).toEqual(made);
});

test('when submitting one of several images fails, the images already submitted are returned', async () => {
  const { ask, balance } = await open(100);
  await pool().query(`create function stumble() returns trigger language plpgsql as $$
    begin
      if (select count(*) > 1 from requests where account_id = new.account_id) then raise 'stumbled'; end if;
      return new;
    end $$`);
  await pool().query('create trigger stumble before insert on requests for each row execute function stumble()');
  try {
    expect(await ask(3)).toHaveLength(2);
    expect(await balance()).toBe(80);
    await expect(ask(1)).rejects.toThrow('stumbled');
  } finally {
    await pool().query('drop function stumble cascade');
  }
});
