import { expect, test } from 'vitest';
import { COLLECTION_SIZE } from '#lib/contract/library-limits';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { listGenerations } from '#lib/generations/list';
import { removeGeneration } from '#lib/generations/remove';
import { accountId, make, other } from '#lib/generations/test-results';
import { putItems, takeItems } from '#lib/library/collection-items';
import {
  changeCollection,
  createCollection,
  getCollection,
  listCollections,
  readItems,
  removeCollection,
} from '#lib/library/collections';

await useOwnDatabase();
process.env.LIMIT_COLLECTIONS = '3';

test('a collection keeps the order of its owner when items are inserted, moved and removed', async () => {
  const [a, b, c, d] = [await make(), await make(), await make(), await make()];
  const collection = await createCollection(accountId, { name: 'Figs', requestIds: [a, b, c] });
  const order = async () => (await readItems(collection.id)).map(({ id }) => id);
  expect(await order()).toEqual([a, b, c]);
  await putItems(collection, [d, c], a);
  expect(await order()).toEqual([d, c, a, b]);
  await putItems(collection, [d, b], a);
  // more often than a gap can be halved: its last half is rounded down before a third, up before a whole number
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

test('requests removed from the history do not count towards the size limit of a collection', async () => {
  const [a, b] = [await make(), await make()];
  const collection = await createCollection(accountId, { name: 'Figs', requestIds: [a] });
  await pool().query(
    `with made as (
      insert into requests (id, account_id, status, architecture, model_id, type, engine, prompt, body, config, seed, output, gems)
      select gen_random_uuid(), account_id, status, architecture, model_id, type, engine, prompt, body, config, seed, output, gems
      from requests, generate_series(2, $3) where id = $2 returning id
    ) insert into collection_items select $1, id, row_number() over () + 1 from made`,
    [collection.id, a, COLLECTION_SIZE],
  );
  await expect(putItems(collection, [b], null)).rejects.toMatchObject({ code: 'quota_exceeded' });
  await removeGeneration(accountId, a);
  await putItems(collection, [b], null);
  expect(await readItems(collection.id)).toHaveLength(COLLECTION_SIZE);
});

test('the cover of a collection is the chosen item while it exists, otherwise the first item', async () => {
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

test('collections belong to one account, accept only its own requests, and are limited in number', async () => {
  const { id: kept } = await createCollection(other, { name: 'Plums', requestIds: [] });
  await expect(removeCollection(accountId, kept)).rejects.toMatchObject({ code: 'not_found' });
  expect(await listCollections(other)).toHaveLength(1);
  await removeCollection(other, kept);
  expect(await listCollections(other)).toEqual([]);
  const [theirs, gone] = [await make({}, other), await make()];
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
