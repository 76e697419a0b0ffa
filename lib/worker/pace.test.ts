import { expect, test } from 'vitest';
import { notePace, paceOf } from '#lib/worker/pace';

test('the pace of a line starts at its first duration and moves by a fifth of each later difference', () => {
  expect(paceOf('swift')).toBe(5_000);
  notePace('swift', 1_000);
  expect(paceOf('swift')).toBe(1_000);
  notePace('swift', 2_000);
  expect(paceOf('swift')).toBe(1_200);
  expect(paceOf('slow')).toBe(5_000);
});
