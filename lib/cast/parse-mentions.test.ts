import fc from 'fast-check';
import { expect, test } from 'vitest';
import { meaningOf, ownImageNumber, parseMentions, TYPED_MENTION } from '#lib/cast/parse-mentions';

const longest = (prompt: string) => parseMentions(prompt).map(({ names }) => names[0]);

test.each([
  ['@ana walks through @harbour', ['ana', 'harbour']],
  ['@Ana and @ANA are one', ['ana', 'ana']],
  ['(@ana), "@bo"; @cy.', ['ana', 'bo', 'cy']],
  ['@a_b-2!', ['a_b-2']],
  ['@ana\n@bo', ['ana', 'bo']],
  ['@abcdefghijklmnopq', ['abcdefghijklmno']],
  ['mail ana@example.com or x.@ana or @@ana', []],
  ['\\@ana is text', []],
  ['@ ana, @1ana, @_ana, @-ana, @', []],
  // letters and digits of most scripts prevent a mention after them
  ['café@ana, cafe\u0301@ana, привет@ana, ٣@ana', []],
  // letters of scripts without spaces between words do not
  ['彼女は@anaです และ@bo', ['ana', 'bo']],
  // the Kelvin sign and the long s are not letters of handles
  ['@\u212Aim @\u017Fam', []],
])('%j mentions %j', (prompt, handles) => {
  expect(longest(prompt)).toEqual(handles);
});

test.each([
  ['@ana-', 'ana'],
  ['@ana_', 'ana'],
  ['@ana-style', null],
  ['@ana-2-', 'ana-2'],
  ['@ana-2-style', null],
  ['@ana--', 'ana-'],
  ['@Ana-Lu', 'ana-lu'],
  ['@anabel', null],
  ['@nobody-ana', null],
  ['@image1-', 'image1'],
  ['@image1-style', null],
])('with the known handles, %s resolves to %s', (prompt, handle) => {
  const known = ['ana', 'ana-2', 'ana-', 'ana-lu', 'a'];
  const [mention] = parseMentions(prompt);
  const handles = prompt === '@ana-' ? known.filter(name => name !== 'ana-') : known;
  expect(mention && meaningOf(mention, name => handles.includes(name))).toBe(handle);
});

test('@image with a number means an image of the request, and nothing else does', () => {
  const names = longest('@image2 beside @image10, @Image1, @image, @imagex and @image2x');
  expect(names.map(name => ownImageNumber(name ?? ''))).toEqual([2, 10, 1, null, null, null]);
});

test.each([
  ['Portrait of @', ''],
  ['Portrait of @An', 'An'],
  ['@ana-', 'ana-'],
  ['ana@', null],
  ['café@a', null],
])('typing %j searches for %j', (text, typed) => {
  expect(TYPED_MENTION.exec(text)?.[1] ?? null).toBe(typed);
});

const handle = fc.stringMatching(/^[a-z][a-z0-9_-]{0,14}$/);
const between = fc.constantFrom(' ', ', ', '. ', ' (', '! ', '\n', '"', '：');

test('every mention between other characters is found, in any case, unless it is escaped', () => {
  const words = fc.array(fc.tuple(handle, fc.boolean(), fc.boolean(), between));
  fc.assert(
    fc.property(words, parts => {
      const prompt = parts.map(
        ([name, upper, escaped, gap]) => `${gap}${escaped ? '\\' : ''}@${upper ? name.toUpperCase() : name}`,
      );
      expect(longest(prompt.join(''))).toEqual(parts.flatMap(([name, , escaped]) => (escaped ? [] : [name])));
    }),
  );
});

test('in any text, the mentions found are valid handles at the reported positions', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (a, b) => {
      const prompt = `${a}@${b}`;
      for (const { index, names } of parseMentions(prompt)) {
        for (const name of names) {
          expect(name).toMatch(/^[a-z][a-z0-9_-]{0,14}$/);
          expect(prompt.slice(index, index + 1 + name.length).toLowerCase()).toBe(`@${name}`);
        }
      }
    }),
  );
});
