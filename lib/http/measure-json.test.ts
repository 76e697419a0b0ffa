import { expect, test } from 'vitest';
import { measureJson } from '#lib/http/measure-json';

const measure = (text: string) => measureJson(Buffer.from(text), { values: 10, depth: 10 });

test.each([
  ['{"a":1,"b":[1,2,{"c":null}]}', { values: 6, depth: 3 }],
  ['[[],[[]],{}]', { values: 2, depth: 3 }],
  ['[]', { values: 0, depth: 1 }],
  ['"[{,:"', { values: 0, depth: 0 }],
  [' \n[[1,2]]', { values: 1, depth: 2 }],
  ['\ufeff[[1,2]]', { values: 1, depth: 2 }],
  ['--form\r\n[[,:{', { values: 0, depth: 0 }],
  [String.raw`{"a\"[,":"\\","b":"\"{{"}`, { values: 3, depth: 1 }],
  [String.raw`["\\",[]]`, { values: 1, depth: 2 }],
  ['{"a', { values: 0, depth: 1 }],
  [String.raw`{"a\"`, { values: 0, depth: 1 }],
])('values and depth are counted in %s', (text, expected) => {
  expect(measure(text)).toEqual(expected);
});

test('counting stops just above the given maximum', () => {
  expect(measure(`[${'1,'.repeat(1_000)}1]`).values).toBe(11);
  expect(measure('['.repeat(1_000)).depth).toBe(11);
});
