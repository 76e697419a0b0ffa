import { expect, test } from 'vitest';
import { PAUSES, pauseAfter } from '#lib/webhooks/retry';

test('a message is retried for about a day, with growing pauses, and then given up', () => {
  const pauses = PAUSES.map((_, at) => pauseAfter(at + 1, 0.5)!);
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  const hours = pauses.reduce((sum, pause) => sum + pause) / 3_600;
  expect(hours).toBeGreaterThan(23);
  expect(hours).toBeLessThan(25);
  expect(pauseAfter(PAUSES.length + 1)).toBeNull();
});

test('the retries of messages that failed together are spread out', () => {
  expect([pauseAfter(2, 0), pauseAfter(2, 1)]).toEqual([24, 36]);
});
