import { expect, test } from 'vitest';
import { nearestToken } from '#lib/output-spec';

const TOKENS = ['16:9', '1:1', '4:5', '9:16'];

test('an aspect ratio is mapped to the nearest token', () => {
  expect(nearestToken(TOKENS, 1.7)).toBe('16:9');
  expect(nearestToken(TOKENS, 0.82)).toBe('4:5');
  expect(nearestToken(TOKENS, 0.1)).toBe('9:16');
});
