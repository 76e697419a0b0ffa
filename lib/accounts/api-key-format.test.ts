import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeApiKey, parseApiKey } from '#lib/accounts/api-key-format';
import { BASE62 } from '#lib/ids';

test('a key has a prefix, 43 random and 6 checksum characters, and is parsed to its SHA-256 hash', () => {
  const key = makeApiKey();
  expect(key).toMatch(/^pomona_sk_[0-9A-Za-z]{49}$/);
  expect(parseApiKey(key)).toEqual(createHash('sha256').update(key).digest());
  expect(makeApiKey()).not.toBe(key);
});

test('every single-character typo is detected', () => {
  const key = makeApiKey();
  const place = fc.nat(key.length - 1);
  const letter = fc.oneof(fc.constantFrom(...BASE62), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }));
  fc.assert(
    fc.property(place, letter, (at, typo) => {
      fc.pre(key[at] !== typo);
      return parseApiKey(key.slice(0, at) + typo + key.slice(at + 1)) === null;
    }),
    { numRuns: 5_000 },
  );
});

test('a missing, doubled or swapped character is detected', () => {
  const key = makeApiKey();
  for (let at = 0; at < key.length; at++) {
    expect(parseApiKey(key.slice(0, at) + key.slice(at + 1))).toBeNull();
    expect(parseApiKey(key.slice(0, at) + key[at] + key.slice(at))).toBeNull();
    if (at > 0 && key[at] !== key[at - 1]) {
      expect(parseApiKey(key.slice(0, at - 1) + key[at] + key[at - 1] + key.slice(at + 1))).toBeNull();
    }
  }
});

test.each(['', 'pomona_sk_', ' ', '\0', 'x'.repeat(1_000_000), `${makeApiKey()}\n`, ` ${makeApiKey()}`])(
  'a malformed key is rejected (%#)',
  text => {
    expect(parseApiKey(text)).toBeNull();
  },
);
