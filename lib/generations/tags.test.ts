import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { listGenerations } from '#lib/generations/list';
import { removeGeneration } from '#lib/generations/remove';
import { addTag, listTags, removeTag, tagsOf } from '#lib/generations/tags';
import { accountId, make, other } from '#lib/generations/test-results';
import { toDetailWire } from '#lib/generations/to-wire';
import { begin, commitWhenWaitedFor } from '#lib/life/test-requests';

await useOwnDatabase();

test('requests are found by tag, and tags are counted and can be removed', async () => {
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

test('the migration merges older tags that differ only in Unicode normalization', async () => {
  const id = await make();
  const forms = ['café', 'crème'].flatMap(tag => [tag.normalize('NFC'), tag.normalize('NFD')]);
  for (const tag of forms.slice(1)) await addTag(accountId, id, tag);
  await pool().query(await readFile(new URL('../db/migrations/0056_tags_of_one_form.sql', import.meta.url), 'utf8'));
  expect(await tagsOf(id)).toEqual(['café', 'crème'].map(tag => tag.normalize('NFC')));
  for (const tag of await tagsOf(id)) await removeTag(accountId, id, tag);
});

test('the list of tags is limited to the 500 that most requests have', async () => {
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

test('the tag limit counts tags that another process adds to the request at the same time', async () => {
  const id = await make();
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

test('only own requests can be tagged, each with at most 20 tags', async () => {
  const theirs = await make({}, other);
  await expect(addTag(accountId, theirs, 'mine')).rejects.toMatchObject({ code: 'request_not_found' });
  await expect(removeTag(accountId, theirs, 'mine')).rejects.toMatchObject({ code: 'request_not_found' });
  const id = await make();
  const rivals = await Promise.allSettled(Array.from({ length: 21 }, (_, n) => addTag(accountId, id, `tag ${n}`)));
  const refused = rivals.filter(({ status }) => status === 'rejected');
  expect(refused).toMatchObject([{ reason: { code: 'quota_exceeded' } }]);
});
