import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseMentions } from '#lib/cast/parse-mentions';

test.each([
  ['@ana walks through @harbour', ['ana', 'harbour']],
  ['@Ana and @ANA are one', ['ana']],
  ['(@ana), "@bo"; @cy.', ['ana', 'bo', 'cy']],
  ['彼女は@anaです', ['ana']],
  ['@a_b-2!', ['a_b-2']],
  ['@ana\n@bo', ['ana', 'bo']],
  ['@abcdefghijklmnopq', ['abcdefghijklmno']],
  ['mail ana@example.com or x.@ana or @@ana', []],
  ['\\@ana is text', []],
  ['@ ana, @1ana, @_ana, @-ana, @', []],
])('%j mentions %j', (prompt, handles) => {
  expect(parseMentions(prompt)).toEqual({ handles, images: [] });
});

test('@image with a number means an image of the request, and nothing else does', () => {
  expect(parseMentions('@image2 beside @image10, @Image1, @image, @imagex and @image2x')).toEqual({
    handles: ['image', 'imagex', 'image2x'],
    images: [2, 10, 1],
  });
});

const handle = fc.stringMatching(/^[a-z][a-z0-9_-]{0,14}$/).filter(text => !/^image\d+$/.test(text));
const between = fc.constantFrom(' ', ', ', '. ', ' (', '! ', '\n', '"', '：');

test('every handle between other characters is found, in any case, and none that is escaped', () => {
  const words = fc.array(fc.tuple(handle, fc.boolean(), fc.boolean(), between));
  fc.assert(
    fc.property(words, parts => {
      const prompt = parts.map(
        ([name, upper, escaped, gap]) => `${gap}${escaped ? '\\' : ''}@${upper ? name.toUpperCase() : name}`,
      );
      const expected = new Set(parts.flatMap(([name, , escaped]) => (escaped ? [] : [name])));
      expect(parseMentions(prompt.join('')).handles).toEqual([...expected]);
    }),
  );
});

test('whatever the text, what is found are handles, each once', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (a, b) => {
      const { handles, images } = parseMentions(`${a}@${b}`);
      expect(new Set(handles).size).toBe(handles.length);
      for (const name of handles) expect(name).toMatch(/^(?!image\d+$)[a-z][a-z0-9_-]{0,14}$/);
      for (const number of images) expect(Number.isSafeInteger(number)).toBe(true);
    }),
  );
});
