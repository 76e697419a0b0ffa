import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { batched } from '#lib/db/batched';

interface Query {
  keys: readonly number[];
  answer: () => void;
  fail: () => void;
}

/** A batched look-up whose queries the test answers itself. */
function byHand(name: string, limits = {}) {
  const sent: Query[] = [];
  const find = batched(
    name,
    (keys: readonly number[]) =>
      new Promise<(string | null)[]>((resolve, reject) =>
        sent.push({
          keys,
          answer: () => resolve(keys.map(key => (key < 0 ? null : `n${key}`))),
          fail: () => reject(new Error('lost')),
        }),
      ),
    limits,
  );
  return { sent, find };
}

test('calls of one event-loop turn share a query, and calls made while it runs share the next one', async () => {
  const { sent, find } = byHand('test.together');
  const first = Promise.all([find(1), find(-2)]);
  await turn();
  const second = Promise.all([find(3), find(1)]);
  await turn();
  const third = find(4);
  await turn();
  expect(sent.map(({ keys }) => keys)).toEqual([[1, -2]]);
  sent[0]!.answer();
  expect(await first).toEqual(['n1', null]);
  expect(sent.map(({ keys }) => keys)).toEqual([
    [1, -2],
    [3, 1, 4],
  ]);
  sent[1]!.answer();
  expect(await second).toEqual(['n3', 'n1']);
  expect(await third).toBe('n4');
});

test('the number of keys per query and the number of concurrent queries are limited', async () => {
  const { sent, find } = byHand('test.limits', { most: 2, underWay: 2 });
  const found = Promise.all([1, 2, 3, 4, 5].map(key => find(key)));
  await turn();
  expect(sent.map(({ keys }) => keys)).toEqual([
    [1, 2],
    [3, 4],
  ]);
  sent[1]!.answer();
  while (sent.length < 3) await turn();
  expect(sent[2]!.keys).toEqual([5]);
  for (const query of sent) query.answer();
  expect(await found).toEqual(['n1', 'n2', 'n3', 'n4', 'n5']);
});

test('a failing query rejects only its own calls', async () => {
  const { sent, find } = byHand('test.failing');
  const first = find(1);
  await turn();
  const second = find(2);
  sent[0]!.fail();
  await expect(first).rejects.toThrow('lost');
  await turn();
  sent[1]!.answer();
  expect(await second).toBe('n2');
});

test('a query that is not answered does not block later calls', async () => {
  const { sent, find } = byHand('test.hanging');
  const first = find(1);
  await turn();
  const second = find(2);
  while (sent.length < 2) await turn();
  sent[1]!.answer();
  expect(await second).toBe('n2');
  sent[0]!.answer();
  expect(await first).toBe('n1');
  const third = find(3);
  while (sent.length < 3) await turn();
  sent[2]!.answer();
  expect(await third).toBe('n3');
});
