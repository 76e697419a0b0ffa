import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useOwnDatabase } from '#lib/db/test-database';

await useOwnDatabase();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-library-'));
process.env.LIMIT_STORED_BYTES = '1000';
process.env.LIMIT_COLLECTIONS = '3';

const { listAudit } = await import('#lib/accounts/audit');
const { createAccount } = await import('#lib/accounts/accounts');
const { pool } = await import('#lib/db/client');
const { keepResult, releaseResult } = await import('#lib/generations/keep');
const { listGenerations } = await import('#lib/generations/list');
const { getGeneration } = await import('#lib/generations/read');
const { addTag, listTags, removeTag } = await import('#lib/generations/tags');
const { removeGeneration } = await import('#lib/generations/remove');
const { toDetailWire, toWire } = await import('#lib/generations/to-wire');
const { lowestIdAt, newId } = await import('#lib/ids');
const { begin, commitWhenWaitedFor } = await import('#lib/life/test-requests');
const { putItems, takeItems } = await import('#lib/library/collection-items');
const { changeCollection, createCollection, getCollection, listCollections, readItems, removeCollection } =
  await import('#lib/library/collections');
const { listExamples, setExample, unsetExample } = await import('#lib/generations/examples');
const { createPreset, listPresets, removePreset, renamePreset } = await import('#lib/library/presets');
const { findPrompts } = await import('#lib/library/prompts');
const { createShare, endShare, getSharedKey, listShares, readShared } = await import('#lib/library/shares');
const { examplesToWire, sharedToWire } = await import('#lib/library/to-wire');
const { raiseExpiring } = await import('#lib/notices/raise-expiring');
const { readQuotas } = await import('#lib/quotas');
const { expireMedia } = await import('#lib/retention/expire-media');

const DAY = 86_400_000;
let accountId: string;
let other: string;
beforeEach(async () => {
  const open = async () => (await createAccount({ email: `${newId()}@example.com` })).id;
  [accountId, other] = [await open(), await open()];
});

afterEach(() => vi.useRealTimers());

interface Made {
  bytes?: number;
  /** Of its one smaller form; 0 for none. */
  previewBytes?: number;
  daysAgo?: number;
  prompt?: string;
  owner?: string;
}

/** A finished request, whose file nobody reads. */
async function make({
  bytes = 100,
  previewBytes = 0,
  daysAgo = 0,
  prompt = 'a fig',
  owner = accountId,
}: Made = {}): Promise<string> {
  const createdAt = new Date(Date.now() - daysAgo * DAY);
  const expiresAt = new Date(createdAt.getTime() + 30 * DAY);
  const id = lowestIdAt(createdAt).slice(0, 13) + newId().slice(13);
  const store = async (kind: string, size: number) => {
    const file = { mediaId: newId(), key: `${kind}/${newId()}.png`, contentType: 'image/png', bytes: size };
    await pool().query(
      `insert into media (id, account_id, kind, key, content_type, bytes, request_id, expires_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [file.mediaId, owner, kind, file.key, file.contentType, size, id, expiresAt],
    );
    return { ...file, width: 8, height: 8 };
  };
  const renditions = previewBytes ? [await store('preview', previewBytes)] : [];
  const result = { ...(await store('result', bytes)), nsfw: false, expiresAt, renditions };
  const config = { prompt, aspect_ratio: '1:1', image: 'https://pomona.example/media/input/secret.png' };
  await pool().query(
    `insert into requests (id, account_id, status, architecture, model_id, type, engine, prompt, body, config, seed, output, gems, result, created_at, finished_at)
    values ($1, $2, 'completed', 'mango', 'mango-v3', 'image', 'none', $3, '{}', $4, 1, '{}', 1, $5, $6, $6)`,
    [id, owner, prompt, JSON.stringify(config), JSON.stringify(result), createdAt],
  );
  return id;
}

const expiryOf = async (id: string): Promise<Date> =>
  (await pool().query('select expires_at from media where request_id = $1', [id])).rows[0].expires_at;
/** With all its forms. */
const isThere = async (id: string): Promise<boolean> =>
  (await pool().query('select deleted_at from media where request_id = $1', [id])).rows.every(
    ({ deleted_at }) => deleted_at === null,
  );
const stored = async () => (await readQuotas(accountId)).find(({ setting }) => setting === 'LIMIT_STORED_BYTES')?.used;

test('what is not made yet is not said to be gone', async () => {
  const id = await make();
  await pool().query(`update requests set status = 'in_progress', result = null where id = $1`, [id]);
  await expect(keepResult(accountId, id)).rejects.toMatchObject({ code: 'request_live' });
});

test('what is kept outlives its 30 days and counts as stored, until it is given back or deleted', async () => {
  const [kept, left] = [await make({ daysAgo: 29, bytes: 80, previewBytes: 20 }), await make({ daysAgo: 29 })];
  expect(toWire(await keepResult(accountId, kept)).kept).toBe(true);
  expect(await keepResult(accountId, kept)).toMatchObject({ kept: true });
  expect(await stored()).toBe(100);
  const listed = await listGenerations(accountId, { limit: 9, kept: true });
  expect(listed.data.map(({ id }) => id)).toEqual([kept]);
  expect(toWire(listed.data[0]!).result?.expires_at).toBe('9999-12-31T23:59:59.999Z');
  await expireMedia(new Date(Date.now() + 400 * DAY));
  expect([await isThere(kept), await isThere(left)]).toEqual([true, false]);

  const released = toWire(await releaseResult(accountId, kept));
  expect(released).not.toHaveProperty('kept');
  expect(released.result?.expires_at).toBe((await expiryOf(kept)).toISOString());
  expect((await expiryOf(kept)).getTime()).toBeGreaterThan(Date.now() + 6.9 * DAY);
  expect(await stored()).toBe(0);

  await keepResult(accountId, kept);
  await removeGeneration(accountId, kept);
  expect(await stored()).toBe(0);
  expect((await expiryOf(kept)).getTime()).toBeLessThanOrEqual(Date.now());
  const { created_at, result } = toWire(await getGeneration(accountId, kept));
  expect(Date.parse(result!.expires_at)).toBe(Date.parse(created_at) + 30 * DAY);
});

test('what is kept and released again and again gets no second week by that, but as long as it was kept', async () => {
  const id = await make({ daysAgo: 29 });
  const start = Date.now();
  vi.useFakeTimers({ toFake: ['Date'] });
  // each is pressed twice
  const twice = (act: typeof keepResult) => Promise.all([act(accountId, id), act(accountId, id)]);
  const expiryWhenKept = async ({ from, to }: { from: number; to: number }) => {
    vi.setSystemTime(start + from * DAY);
    await twice(keepResult);
    vi.setSystemTime(start + to * DAY);
    await twice(releaseResult);
    return ((await expiryOf(id)).getTime() - start) / DAY;
  };
  expect(await expiryWhenKept({ from: 0, to: 0 })).toBe(7);
  expect(await expiryWhenKept({ from: 6, to: 6 })).toBe(7);
  expect(await expiryWhenKept({ from: 6, to: 8 })).toBe(11);
  expect(await expiryWhenKept({ from: 8, to: 40 })).toBe(47);
});

test('of keeping, releasing and removing at once each is done or refused, and what is removed is neither kept nor there', async () => {
  const ids = await Promise.all(Array.from({ length: 6 }, () => make({ bytes: 10, previewBytes: 5 })));
  const acts = ids.flatMap(id => [
    ...[keepResult, releaseResult, keepResult, releaseResult, keepResult].map(act => () => act(accountId, id)),
    () => removeGeneration(accountId, id),
  ]);
  const ends = await Promise.allSettled(acts.map(act => act()));
  for (const end of ends) if (end.status === 'rejected') expect(end.reason).toMatchObject({ code: 'media_expired' });
  const { rows } = await pool().query(
    `select r.id from requests r join media m on m.request_id = r.id where r.id = any($1)
      and (r.kept or r.removed_at is null or m.expires_at > now() or (r.result ->> 'expiresAt')::timestamptz > now() + interval '30 days')`,
    [ids],
  );
  expect(rows).toEqual([]);
});

test('nothing is kept that is not there, of others, or without room', async () => {
  await expect(keepResult(accountId, await make({ owner: other }))).rejects.toMatchObject({
    code: 'request_not_found',
  });
  await expect(keepResult(accountId, await make({ daysAgo: 31 }))).rejects.toMatchObject({ code: 'media_expired' });
  const rival = [await make({ bytes: 600 }), await make({ bytes: 600 })];
  const outcomes = await Promise.allSettled(rival.map(id => keepResult(accountId, id)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'quota_exceeded' } });
});

test('what is kept counts with its smaller forms', async () => {
  await keepResult(accountId, await make({ bytes: 300, previewBytes: 50 }));
  expect(await stored()).toBe(350);
  await expect(keepResult(accountId, await make({ bytes: 600, previewBytes: 51 }))).rejects.toMatchObject({
    code: 'quota_exceeded',
  });
  await keepResult(accountId, await make({ bytes: 600, previewBytes: 50 }));
  expect(await stored()).toBe(1000);
});

test('what expires within a week is listed, unless it is kept', async () => {
  const [, soon, kept] = [await make({ daysAgo: 20 }), await make({ daysAgo: 25 }), await make({ daysAgo: 26 })];
  await make({ daysAgo: 31 });
  await keepResult(accountId, kept);
  const { data } = await listGenerations(accountId, { limit: 9, expiring: true });
  expect(data.map(({ id }) => id)).toEqual([soon]);
});

test('what is released when its 30 days are over is listed as it is told: its file has a week left', async () => {
  const [soon, removed, released] = [
    await make({ daysAgo: 25 }),
    await make({ daysAgo: 26 }),
    await make({ daysAgo: 35 }),
  ];
  await removeGeneration(accountId, removed);
  await pool().query(`update media set expires_at = '9999-12-31' where request_id = $1`, [released]);
  await pool().query('update requests set kept = true where id = $1', [released]);
  await releaseResult(accountId, released);
  const { data } = await listGenerations(accountId, { limit: 9, expiring: true });
  expect(data.map(({ id }) => id)).toEqual([soon, released]);
  await raiseExpiring(new Date());
  const { rows } = await pool().query('select data from notices where account_id = $1', [accountId]);
  expect(rows[0].data).toMatchObject({ count: 2, request_ids: [soon, released] });
});

test('a collection has the order of its owner, who moves, puts before and takes out', async () => {
  const [a, b, c, d] = [await make(), await make(), await make(), await make()];
  const collection = await createCollection(accountId, { name: 'Figs', requestIds: [a, b, c] });
  const order = async () => (await readItems(collection.id)).map(({ id }) => id);
  expect(await order()).toEqual([a, b, c]);
  await putItems(collection, [d, c], a);
  expect(await order()).toEqual([d, c, a, b]);
  await putItems(collection, [d, b], a);
  // more often than a gap can be halved: the last half of it is rounded down before a third, up before a whole number
  for (const [next, x, y] of [
    [b, c, d],
    [a, b, d],
  ] as const)
    for (let turn = 0; turn < 60; turn++) {
      const [first, moved] = turn % 2 ? [x, y] : [y, x];
      await putItems(collection, [moved], next);
      expect((await order()).filter(id => [x, y, next].includes(id))).toEqual([first, moved, next]);
    }
  for (const absent of [b, await make()])
    await expect(putItems(collection, [b], absent)).rejects.toMatchObject({ code: 'request_not_found' });
  await takeItems(collection, [d]);
  await removeGeneration(accountId, a);
  expect(await order()).toEqual([c, b]);
  const { data } = await listGenerations(accountId, { limit: 9, collection: collection.id });
  expect(data.map(({ id }) => id).toSorted()).toEqual([a, b, c].toSorted());
});

test('the cover is what was chosen while it is there, else the first one', async () => {
  const [a, b] = [await make(), await make()];
  const { id } = await createCollection(accountId, { name: 'Figs', requestIds: [a, b] });
  const cover = async () => (await listCollections(accountId))[0];
  expect(await cover()).toMatchObject({ count: 2, cover: { id: a } });
  await changeCollection(accountId, id, { coverId: b, name: 'Plums' });
  expect(await cover()).toMatchObject({ row: { name: 'Plums' }, cover: { id: b } });
  await removeGeneration(accountId, b);
  expect(await cover()).toMatchObject({ count: 1, cover: { id: a } });
  const stranger = changeCollection(accountId, id, { coverId: await make() });
  await expect(stranger).rejects.toMatchObject({ code: 'not_found' });
});

test("collections are the account's own, take its own requests, and are so many", async () => {
  const { id: kept } = await createCollection(other, { name: 'Plums', requestIds: [] });
  await expect(removeCollection(accountId, kept)).rejects.toMatchObject({ code: 'not_found' });
  expect(await listCollections(other)).toHaveLength(1);
  await removeCollection(other, kept);
  expect(await listCollections(other)).toEqual([]);
  const [theirs, gone] = [await make({ owner: other }), await make()];
  await removeGeneration(accountId, gone);
  for (const one of [theirs, gone]) {
    const bad = createCollection(accountId, { name: 'Figs', requestIds: [await make(), one] });
    await expect(bad).rejects.toMatchObject({ code: 'request_not_found' });
  }
  expect(await listCollections(accountId)).toEqual([]);
  const { id } = await createCollection(accountId, { name: 'Figs', requestIds: [] });
  await expect(getCollection(other, id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(getCollection(accountId, 'x')).rejects.toMatchObject({ code: 'not_found' });
  expect(await listGenerations(other, { limit: 9, collection: id })).toMatchObject({ data: [] });
  for (const name of ['two', 'three']) await createCollection(accountId, { name, requestIds: [] });
  const full = createCollection(accountId, { name: 'four', requestIds: [] });
  await expect(full).rejects.toMatchObject({ code: 'quota_exceeded' });
});

test('a shared result tells of its settings only when it may, and never of files', async () => {
  const request_id = await make({ prompt: 'a secret fig' });
  const bare = await createShare(accountId, { request_id, settings: false });
  const read = async () => sharedToWire(await readShared(bare.row.token));
  expect(JSON.stringify(await read())).not.toContain('secret');
  const bareItem = { request_id, prompt: null, settings: null, result: { width: 8, seed: 0 } };
  expect((await read()).items).toMatchObject([bareItem]);
  const { key } = (await getGeneration(accountId, request_id)).result!;
  expect(JSON.stringify(await read())).not.toContain(key);
  expect(await getSharedKey(bare.row.token, request_id)).toBe(key);
  await expect(getSharedKey(bare.row.token, await make())).rejects.toMatchObject({ code: 'not_found' });
  await expect(getSharedKey(bare.row.token, 'x')).rejects.toMatchObject({ code: 'not_found' });

  const requestIds = [await make(), request_id];
  const { id } = await createCollection(accountId, { name: 'Figs', requestIds });
  const { row } = await createShare(accountId, { collection_id: id, settings: false });
  expect(await getSharedKey(row.token, request_id)).toBe(key);
  await expect(getSharedKey(row.token, await make())).rejects.toMatchObject({ code: 'not_found' });

  const same = await createShare(accountId, { request_id, settings: true });
  expect(same.row.token).toBe(bare.row.token);
  const [item] = (await read()).items;
  expect(item).toMatchObject({ prompt: 'a secret fig', settings: { prompt: 'a secret fig', aspect_ratio: '1:1' } });
  expect(item?.settings).not.toHaveProperty('image');

  // the instructions of a recipe are told nobody
  const part = `'{"step":0,"item":0,"attempt":1,"recipe":"relight","title":"Relight: fog"}'`;
  await pool().query(`update requests set run_id = id, run_part = ${part} where id = $1`, [request_id]);
  expect(await read()).toMatchObject({ title: 'Relight: fog', items: [{ prompt: 'Relight: fog', settings: null }] });
  expect((await listShares(accountId)).map(({ title }) => title)).toEqual(['Figs', 'Relight: fog']);
});

test('a shared page ends with its media, its request, its owner, or when it is told to', async () => {
  const shareOf = async (request_id: string) => createShare(accountId, { request_id, settings: true });
  const { row } = await shareOf(await make());
  await pool().query(`update requests set result = jsonb_set(result, '{expiresAt}', '"2020-01-01T00:00:00.000Z"')`);
  await expect(readShared(row.token)).rejects.toMatchObject({ code: 'media_expired' });
  await expect(shareOf(row.requestId!)).rejects.toMatchObject({ code: 'media_expired' });

  const removed = await shareOf(await make());
  await removeGeneration(accountId, removed.row.requestId!);
  await expect(readShared(removed.row.token)).rejects.toMatchObject({ code: 'media_expired' });
  const file = getSharedKey(removed.row.token, removed.row.requestId!);
  await expect(file).rejects.toMatchObject({ code: 'media_expired' });

  const ended = await shareOf(await make());
  await expect(endShare(other, ended.row.id)).rejects.toMatchObject({ code: 'not_found' });
  await endShare(accountId, ended.row.id);
  await expect(readShared(ended.row.token)).rejects.toMatchObject({ code: 'not_found' });

  const { row: last } = await shareOf(await make());
  await pool().query('update accounts set disabled_at = now() where id = $1', [accountId]);
  await expect(readShared(last.token)).rejects.toMatchObject({ code: 'not_found' });
});

test('a shared collection shows what is in it now', async () => {
  const [a, b] = [await make(), await make()];
  const { id: collection_id } = await createCollection(accountId, { name: 'Figs', notes: 'ripe', requestIds: [a] });
  const { row } = await createShare(accountId, { collection_id, settings: false });
  await putItems(await getCollection(accountId, collection_id), [b], a);
  const { title, notes, items } = sharedToWire(await readShared(row.token));
  expect([title, notes, items.map(({ request_id }) => request_id)]).toEqual(['Figs', 'ripe', [b, a]]);
  expect(await listShares(accountId)).toMatchObject([{ title: 'Figs' }]);
  expect(await listShares(other)).toEqual([]);
});

test('a large shared collection comes in parts, and what is gone from it leaves no gap', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 62; n++) ids.push(await make());
  const { id: collection_id } = await createCollection(accountId, { name: 'Rows', requestIds: ids });
  const { row } = await createShare(accountId, { collection_id, settings: true });
  await pool().query('update requests set removed_at = now() where id = $1', [ids[0]]);
  const read = async (part = {}) => sharedToWire(await readShared(row.token, part));
  const first = await read();
  expect(first.items.map(({ request_id }) => request_id)).toEqual(ids.slice(1, 61));
  // the one that it ended at may be taken out meanwhile
  await takeItems({ id: collection_id, accountId }, [ids[60]!]);
  const rest = await read({ cursor: first.next_cursor });
  expect([rest.items.map(({ request_id }) => request_id), rest.next_cursor]).toEqual([[ids[61]], null]);
  expect((await read({ request_id: ids[5] })).items.map(({ request_id }) => request_id)).toEqual([ids[5]]);
  await expect(read({ request_id: ids[0] })).rejects.toMatchObject({ code: 'media_expired' });
  for (const cursor of ['x', '1', `1_${'x'.repeat(36)}`, `_${ids[1]}`, `Infinity_${ids[1]}`])
    await expect(read({ cursor })).rejects.toMatchObject({ code: 'invalid_request' });
});

test('presets are of a model, styles a prompt alone', async () => {
  const { id } = await createPreset(accountId, { name: 'wet', architecture: null, settings: { prompt: 'in rain' } });
  await createPreset(accountId, { name: 'square', architecture: 'mango', settings: { aspect_ratio: '1:1' } });
  expect((await listPresets(accountId)).map(({ name }) => name)).toEqual(['square', 'wet']);
  for (const wrong of [
    { name: 'x', architecture: 'no-such', settings: {} },
    { name: 'x', architecture: null, settings: { prompt: 'x', seed: 1 } },
    { name: 'x', architecture: 'mango', settings: { prompt: 'x'.repeat(70_000) } },
  ])
    await expect(createPreset(accountId, wrong)).rejects.toMatchObject({ code: 'invalid_request' });
  expect(await renamePreset(accountId, id, 'rainy')).toMatchObject({ name: 'rainy', body: { prompt: 'in rain' } });
  await expect(renamePreset(other, id, 'mine')).rejects.toMatchObject({ code: 'not_found' });
  await expect(renamePreset(accountId, 'x', 'mine')).rejects.toMatchObject({ code: 'not_found' });
  await expect(removePreset(other, id)).rejects.toMatchObject({ code: 'not_found' });
  await removePreset(accountId, id);
  expect(await listPresets(accountId)).toHaveLength(1);
});

test('prompts come back once each, newest first', async () => {
  for (const [prompt, daysAgo] of [
    ['a plum', 4],
    ['a fig', 3],
    ['a plum', 2],
  ] as const)
    await make({ prompt, daysAgo });
  expect(await findPrompts(accountId, undefined)).toEqual(['a plum', 'a fig']);
  expect(await findPrompts(accountId, 'fig')).toEqual(['a fig']);
});

test('tags find requests again, are counted, and are taken away', async () => {
  const [a, b] = [await make(), await make()];
  for (const id of [a, b]) await addTag(accountId, id, 'ripe');
  await addTag(accountId, a, 'ripe');
  expect((await toDetailWire(await addTag(accountId, a, 'blue'))).tags).toEqual(['blue', 'ripe']);
  expect(await listTags(accountId)).toEqual([
    { tag: 'ripe', count: 2 },
    { tag: 'blue', count: 1 },
  ]);
  const found = async (owner: string) =>
    (await listGenerations(owner, { limit: 9, tag: 'ripe' })).data.map(({ id }) => id);
  expect(await found(accountId)).toEqual([a, b].toSorted().toReversed());
  expect(await found(other)).toEqual([]);
  await removeTag(accountId, a, 'ripe');
  await removeTag(accountId, a, 'never');
  expect(await found(accountId)).toEqual([b]);
  await removeGeneration(accountId, b);
  expect(await listTags(accountId)).toEqual([{ tag: 'blue', count: 1 }]);
});

test('of very many tags those on most requests are listed', async () => {
  const [a, b] = [await make(), await make()];
  await pool().query(
    `insert into request_tags (account_id, request_id, tag) select $1, $2, 'tag ' || lpad(n::text, 4, '0') from generate_series(1, 600) n`,
    [accountId, a],
  );
  await addTag(accountId, b, 'tag 0600');
  const listed = await listTags(accountId);
  expect(listed).toHaveLength(500);
  expect(listed.slice(0, 2)).toEqual([
    { tag: 'tag 0600', count: 2 },
    { tag: 'tag 0001', count: 1 },
  ]);
});

test('of two processes that tag a request at a time, the second one counts what the first has given', async () => {
  const id = await make({});
  for (let n = 1; n < 20; n++) await addTag(accountId, id, `tag ${n}`);
  const first = await begin();
  await first.query('select from requests where id = $1 for no key update', [id]);
  await first.query(`insert into request_tags (account_id, request_id, tag) values ($1, $2, 'the last')`, [
    accountId,
    id,
  ]);
  const refused = expect(addTag(accountId, id, 'one more')).rejects.toMatchObject({ code: 'quota_exceeded' });
  await commitWhenWaitedFor(first);
  await refused;
});

test('tags are of own requests, and so many', async () => {
  const theirs = await make({ owner: other });
  await expect(addTag(accountId, theirs, 'mine')).rejects.toMatchObject({ code: 'request_not_found' });
  await expect(removeTag(accountId, theirs, 'mine')).rejects.toMatchObject({ code: 'request_not_found' });
  const id = await make();
  // two connections take two at a time: so the last one that fits meets one that does not
  await addTag(accountId, id, 'first');
  const rivals = await Promise.allSettled(Array.from({ length: 21 }, (_, n) => addTag(accountId, id, `tag ${n}`)));
  expect(rivals.filter(({ status }) => status === 'rejected')).toHaveLength(2);
  expect(rivals.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'quota_exceeded' } });
});

test('an operator shows one own result for each model, which is kept, until it is another or gone', async () => {
  const operator = { id: accountId, name: 'ada' };
  const [first, second] = [await make({ daysAgo: 29 }), await make({ prompt: 'a plum' })];
  const shown = async () =>
    examplesToWire(await listExamples()).data.map(({ request_id, prompt }) => [request_id, prompt]);
  await setExample(operator, first);
  expect(await shown()).toEqual([[first, 'a fig']]);
  expect((await listGenerations(accountId, { limit: 9, kept: true })).data.map(({ id }) => id)).toEqual([first]);
  await setExample(operator, second);
  await setExample(operator, second);
  expect(await shown()).toEqual([[second, 'a plum']]);
  expect(JSON.stringify(examplesToWire(await listExamples()))).not.toContain('secret.png');
  await unsetExample(operator, first);
  expect(await shown()).toHaveLength(1);
  await unsetExample(operator, second);
  expect(await shown()).toEqual([]);

  await setExample(operator, first);
  await removeGeneration(accountId, first);
  expect(await shown()).toEqual([]);
  const theirs = setExample(operator, await make({ owner: other }));
  await expect(theirs).rejects.toMatchObject({ code: 'request_not_found' });
  await expect(setExample(operator, await make({ daysAgo: 31 }))).rejects.toMatchObject({ code: 'media_expired' });
  const { data } = await listAudit({ accountId });
  expect(data.map(({ act }) => act)).toEqual(['example.set', 'example.unset', 'example.set', 'example.set']);
});
