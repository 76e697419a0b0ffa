import { expect, test } from 'vitest';
import { remembered } from '#lib/remembered';

test('an answer is cached until it is too old, and a failure is not cached', async () => {
  let asked = 0;
  const ask = async () => {
    asked++;
    if (asked === 1) throw new Error('out');
    return asked;
  };
  await expect(remembered('a', 60_000, ask)).rejects.toThrow('out');
  expect(await remembered('a', 60_000, ask)).toBe(2);
  expect(await remembered('a', 60_000, ask)).toBe(2);
  expect(await remembered('a', 0, ask)).toBe(3);
});

test('a late failure does not remove a newer answer from the cache', async () => {
  const { promise: slow, reject } = Promise.withResolvers<string>();
  const first = remembered('b', 0, () => slow);
  expect(await remembered('b', 0, async () => 'new')).toBe('new');
  reject(new Error('out'));
  await expect(first).rejects.toThrow('out');
  expect(await remembered('b', 60_000, async () => 'asked again')).toBe('new');
});
