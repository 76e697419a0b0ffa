import { expect, test, vi } from 'vitest';
import { inTurnOfKey } from '#lib/generations/in-turn-of-key';

// a fake clock that only pauses advance
let now = 0;
vi.spyOn(performance, 'now').mockImplementation(() => now);
vi.mock('node:timers/promises', () => ({ setTimeout: async (ms: number) => void (now += ms) }));

const scope = { id: 'a key of the API', key: 'mine' };

test('a request waits five seconds for an earlier one with its idempotency key, and is then asked to retry', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const first = inTurnOfKey(scope, () => promise);
  const late = inTurnOfKey(scope, async () => 'late');
  expect(await inTurnOfKey({ ...scope, id: 'another key of the API' }, async () => 'at once')).toBe('at once');
  await expect(late).rejects.toMatchObject({ code: 'submission_in_progress', retryAfter: 1 });
  expect(now).toBe(5_000);
  resolve('first');
  expect(await first).toBe('first');
  expect(await inTurnOfKey(scope, async () => 'next')).toBe('next');
});

test('a refused request does not make the next one with the same idempotency key fail', async () => {
  const refused = inTurnOfKey(scope, () => Promise.reject(new Error('no')));
  const next = inTurnOfKey(scope, async () => 'next');
  await expect(refused).rejects.toThrow('no');
  expect(await next).toBe('next');
});
