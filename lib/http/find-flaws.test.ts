import { expect, test } from 'vitest';
import { findExcess, findFlaws } from '#lib/http/find-flaws';

test.each([
  [{ prompt: 'a\0b' }, '/prompt', 'prompt must be text without NUL characters; it is "a\\u0000b".'],
  [{ a: [{ 'b/c': '\ud800' }] }, '/a/0/b~1c', '/a/0/b~1c must be valid Unicode'],
  [{ a: { 'x\0': 1 } }, '/a', 'A member name must be text without NUL characters; it is "x\\u0000".'],
  ['\0', '', 'The body must be text without NUL characters'],
])('%j is flawed at %s', (value, path, message) => {
  expect(findFlaws(value)).toEqual([{ path, message: expect.stringContaining(message) }]);
});

test('all flaws are reported, up to ten', () => {
  expect(findFlaws({ a: '\0', b: ['\ud800', 'fine'] }).map(({ path }) => path)).toEqual(['/a', '/b/0']);
  expect(findFlaws(Array.from({ length: 500 }, () => '\0'))).toHaveLength(10);
});

test('a value that is nested too deeply or has too many members is reported as one flaw', () => {
  const deep = JSON.parse('['.repeat(5000) + ']'.repeat(5000)) as unknown;
  expect(findFlaws(deep)).toEqual([{ path: '', message: 'The body must be at most 64 levels deep; it is deeper.' }]);
  const wide = Array.from({ length: 300_000 }, () => 1);
  expect(findFlaws({ wide })).toEqual([
    { path: '', message: 'The body must be of at most 10000 names and values; it has more.' },
  ]);
});

test('unparsed JSON far over the limits is refused, and JSON within them is not', () => {
  const excess = (value: unknown, most?: number) => findExcess(Buffer.from(JSON.stringify(value)), most)?.message;
  const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown;
  expect(findFlaws(nested(65))).toEqual([]);
  expect(excess(nested(65))).toBeUndefined();
  expect(excess(nested(67))).toBe('The body must be at most 64 levels deep; it is deeper.');
  const wide = { a: Array.from({ length: 3 }, () => ({ b: 1 })) };
  expect(findFlaws(wide, 11)).toEqual([]);
  expect(findFlaws(wide, 10)).toHaveLength(1);
  expect(excess(wide, 11)).toBeUndefined();
  expect(excess(wide, 5)).toBe('The body must be of at most 5 names and values; it has more.');
});

test('an infinite number is not reported as a flaw', () => {
  expect(findFlaws({ seed: Infinity })).toEqual([]);
});
