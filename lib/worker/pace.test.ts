import { expect, test } from 'vitest';
import { notePace, paceOf } from '#lib/worker/pace';

test('a line takes as long as its first generation did, and each that follows moves that by a fifth of the difference', () => {
  expect(paceOf('swift')).toBe(5_000);
  notePace('swift', 1_000);
  expect(paceOf('swift')).toBe(1_000);
  notePace('swift', 2_000);
  expect(paceOf('swift')).toBe(1_200);
  expect(paceOf('slow')).toBe(5_000);
});
