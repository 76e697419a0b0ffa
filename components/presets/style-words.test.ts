import { expect, test } from 'vitest';
import { hasStyle, withoutStyle, withStyle } from '#components/presets/style-words';

const STYLE = 'soft light, film grain';

test('a style is appended to the prompt, as part of the sentence or as the next one', () => {
  expect(withStyle('', STYLE)).toBe(STYLE);
  expect(withStyle('a fig', STYLE)).toBe('a fig, soft light, film grain');
  expect(withStyle('A fig. ', STYLE)).toBe('A fig. soft light, film grain');
});

test('a style can be removed from any position in the prompt', () => {
  for (const prompt of ['', 'a fig', 'a fig, ripe']) {
    const styled = withStyle(prompt, STYLE);
    expect(hasStyle(styled, STYLE)).toBe(true);
    expect(withoutStyle(styled, STYLE)).toBe(prompt);
  }
  expect(withoutStyle(`${STYLE}, a fig`, STYLE)).toBe('a fig');
  expect(withoutStyle(`a fig, ${STYLE}, at dusk`, STYLE)).toBe('a fig, at dusk');
  expect(withoutStyle('a fig', STYLE)).toBe('a fig');
});

test('a style is not recognised within other words', () => {
  expect(hasStyle('a pink rose', 'ink')).toBe(false);
  expect(withoutStyle('a pink rose', 'ink')).toBe('a pink rose');
  expect(withoutStyle('a pink rose, ink', 'ink')).toBe('a pink rose');
  expect(withoutStyle('ink2, ink, inky', 'ink')).toBe('ink2, inky');
});
