import { expect, test, vi } from 'vitest';
import { listAudit } from '#lib/accounts/audit';
import { catalog } from '#lib/catalog/catalog';
import { useOwnDatabase } from '#lib/db/test-database';
import { listExamples, setExample, unsetExample } from '#lib/generations/examples';
import { listGenerations } from '#lib/generations/list';
import { removeGeneration } from '#lib/generations/remove';
import { accountId, make, other } from '#lib/generations/test-results';
import { examplesToWire } from '#lib/library/to-wire';

await useOwnDatabase();

test('an operator shows one own result per model as its example, until it is replaced, unset or removed', async () => {
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
  const all = catalog().all();
  vi.spyOn(catalog(), 'all').mockReturnValueOnce(all.map(one => ({ ...one, state: 'retired' })));
  expect(await shown()).toEqual([]);
  await unsetExample(operator, first);
  expect(await shown()).toHaveLength(1);
  await unsetExample(operator, second);
  expect(await shown()).toEqual([]);

  await setExample(operator, first);
  await removeGeneration(accountId, first);
  expect(await shown()).toEqual([]);
  const theirs = setExample(operator, await make({}, other));
  await expect(theirs).rejects.toMatchObject({ code: 'request_not_found' });
  await expect(setExample(operator, await make({ daysAgo: 31 }))).rejects.toMatchObject({ code: 'media_expired' });
  const { data } = await listAudit({ accountId });
  expect(data.map(({ act }) => act)).toEqual(['example.set', 'example.unset', 'example.set', 'example.set']);
});
