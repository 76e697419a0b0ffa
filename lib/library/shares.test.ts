import { expect, test } from 'vitest';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { getGeneration } from '#lib/generations/read';
import { removeGeneration } from '#lib/generations/remove';
import { accountId, make, other } from '#lib/generations/test-results';
import { putItems, takeItems } from '#lib/library/collection-items';
import { createCollection, getCollection } from '#lib/library/collections';
import { createShare, endShare, getSharedKey, listShares, readShared } from '#lib/library/shares';
import { sharedToWire } from '#lib/library/to-wire';

await useOwnDatabase();

test('a share shows prompt and settings only if it includes them, and never input files or storage keys', async () => {
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
  const others = readShared(bare.row.token, { request_id: await make() });
  await expect(others).rejects.toMatchObject({ code: 'media_expired' });
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

  // the prompt of a recipe is not revealed; its title is shown instead
  const part = `'{"step":0,"item":0,"attempt":1,"recipe":"relight","title":"Relight: fog"}'`;
  await pool().query(`update requests set run_id = id, run_part = ${part} where id = $1`, [request_id]);
  expect(await read()).toMatchObject({ title: 'Relight: fog', items: [{ prompt: 'Relight: fog', settings: null }] });
  expect((await listShares(accountId)).map(({ title }) => title)).toEqual(['Figs', 'Relight: fog']);
});

test('a share ends when its media expire, its request is removed, it is revoked, or its owner is disabled', async () => {
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

test('a shared collection shows its current items', async () => {
  const [a, b] = [await make(), await make()];
  const { id: collection_id } = await createCollection(accountId, { name: 'Figs', notes: 'ripe', requestIds: [a] });
  const { row } = await createShare(accountId, { collection_id, settings: false });
  await putItems(await getCollection(accountId, collection_id), [b], a);
  const { title, notes, items } = sharedToWire(await readShared(row.token));
  expect([title, notes, items.map(({ request_id }) => request_id)]).toEqual(['Figs', 'ripe', [b, a]]);
  expect(await listShares(accountId)).toMatchObject([{ title: 'Figs' }]);
  expect(await listShares(other)).toEqual([]);
});

test('a large shared collection is paginated, and removed and expired items leave no gaps', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 63; n++) ids.push(await make());
  const { id: collection_id } = await createCollection(accountId, { name: 'Rows', requestIds: ids });
  const { row } = await createShare(accountId, { collection_id, settings: true });
  await pool().query('update requests set removed_at = now() where id = $1', [ids[0]]);
  const expired = `jsonb_set(result, '{expiresAt}', '"2020-01-01T00:00:00.000Z"')`;
  await pool().query(`update requests set result = ${expired} where id = $1`, [ids[1]]);
  const read = async (part = {}) => sharedToWire(await readShared(row.token, part));
  const first = await read();
  expect(first.items.map(({ request_id }) => request_id)).toEqual(ids.slice(2, 62));
  // the cursor still works when the item at which the page ended is taken out
  await takeItems({ id: collection_id, accountId }, [ids[61]!]);
  const rest = await read({ cursor: first.next_cursor });
  expect([rest.items.map(({ request_id }) => request_id), rest.next_cursor]).toEqual([[ids[62]], null]);
  await removeGeneration(accountId, ids[62]!);
  expect(await read({ cursor: first.next_cursor })).toMatchObject({ items: [], next_cursor: null });
  expect((await read({ request_id: ids[5] })).items.map(({ request_id }) => request_id)).toEqual([ids[5]]);
  await expect(read({ request_id: ids[0] })).rejects.toMatchObject({ code: 'media_expired' });
  for (const cursor of ['x', '1', `1_${'x'.repeat(36)}`, `_${ids[1]}`, `Infinity_${ids[1]}`])
    await expect(read({ cursor })).rejects.toMatchObject({ code: 'invalid_request' });
});
