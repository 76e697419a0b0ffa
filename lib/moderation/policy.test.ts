import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkPolicy, parsePolicy } from '#lib/moderation/policy';

const policy = parsePolicy({
  rules: [
    { id: 'words', scope: 'service', terms: ['rotten apple', 'c++'] },
    {
      id: 'both',
      scope: 'service',
      terms: ['pear'],
      and_terms: ['knife', 'slice'],
      and_patterns: ['\\bknives\\b'],
      within: 3,
      except: ['\\bknife sharpeners?\\b'],
    },
    { id: 'forms', scope: 'service', terms: [" baker's box ", 'forge', 'carry', 'home-made', 'hug'] },
    { id: 'nested', scope: 'service', terms: ['red kite'], patterns: ['red'], and_terms: ['string'], within: 0 },
    { id: 'pattern', scope: 'external', patterns: ['\\bbrand[ -]?\\d+\\b'] },
    { id: 'video-only', scope: 'external', terms: ['plum'], architectures: ['kiwi'] },
  ],
});
const rule = (prompt: string) => policy(prompt, 'mango')?.rule ?? null;

test.each([
  ['a rotten apple on a table', 'words'],
  ['A ROTTEN\n  Apple!', 'words'],
  ['rot\u200bten ap\u00adple', 'words'],
  ['rot\ufe0ften ap\u034fple', 'words'],
  ['rot\u3164ten \u{e0101}apple', 'words'],
  ['ｒｏｔｔｅｎ apple', 'words'],
  ['rot\u{e0001}ten apple\u06dd', 'words'],
  ['a_rotten__apple_on_it', 'words'],
  ['rotten apples', 'words'],
  ["the rotten apple's core", 'words'],
  ['unrotten apple', null],
  ['written in C++', 'words'],
  ['a pear', null],
  ['a pear, two knives', 'both'],
  ['a knife for slicing a pear', 'both'],
  ['knives only', null],
  // the words must be near each other, in either order, and not separated by a sentence end
  ['a knife on a wooden table and a pear', null],
  ['a knife on it, a pear', 'both'],
  ['a knife. pear', null],
  ['a knife。pear', null],
  ['a knife on it... a pear', 'both'],
  ['a knife… pear', 'both'],
  ['a pear. one two three knife, pear', 'both'],
  ['a knife sharpener, a pear', null],
  ['a knife sharpener, a pear, a knife', 'both'],
  // words removed by `except` still count for the distance
  ['a knife and fork, knife sharpeners, a pear', null],
  // a match inside another match is no nearer
  ['a red kite string', 'nested'],
  // plural, possessive, -ed and -ing forms
  ['forging', 'forms'],
  ['it was forged', 'forms'],
  ['forgery', null],
  ['carries', 'forms'],
  ['bakers boxes', 'forms'],
  ['a baker’s box', 'forms'],
  ['home made', 'forms'],
  ['hugged', 'forms'],
  ['BRAND-12 shoes', 'pattern'],
  ['plum', null],
])('the rule that the prompt %j breaks is %j', (prompt, expected) => {
  expect(rule(prompt)).toBe(expected);
});

test('a rule limited to some architectures applies to them, and its scope is returned', () => {
  expect(policy('plum', 'kiwi')).toEqual({ scope: 'external', rule: 'video-only' });
});

test('a policy with an invalid shape or regular expression is refused', () => {
  const refused = (entry: object) => () =>
    parsePolicy({ rules: [{ id: 'x', scope: 'service', terms: ['a'], ...entry }] });
  expect(refused({})).not.toThrow();
  for (const list of ['patterns', 'and_patterns', 'except'])
    expect(refused({ [list]: ['('] })).toThrow('must be a regular expression');
  expect(refused({ terms: [] })).toThrow('terms or patterns');
  expect(refused({ scope: 'elsewhere' })).toThrow();
  expect(refused({ term: ['a'] })).toThrow();
});

test('the shipped policy returns the rule that a prompt breaks and its scope', () => {
  expect(checkPolicy('a nude child', 'mango')).toEqual({ scope: 'service', rule: 'minors' });
  expect(checkPolicy('fake passports', 'mango')).toEqual({ scope: 'external', rule: 'forged-documents' });
  expect(checkPolicy('a sexy saxophone solo in A minor', 'mango')).toBeNull();
});

/** Short prompts: harmless ones with many near misses, and for every rule prompts that it should refuse. */
const corpus = JSON.parse(readFileSync(join(import.meta.dirname, 'policy-corpus.json'), 'utf8')) as {
  harmless: string[];
  harmful: Record<string, string[]>;
};

/** Numbers of known errors of the shipped policy in the corpus. A change of the policy may only lower them. */
const REFUSED = { harmless: 9 };
const MISSED: Record<string, number> = { minors: 2, weapons: 3, 'forged-documents': 4 };

test('the shipped policy refuses no more harmless prompts than the known number', () => {
  const refused = corpus.harmless.filter(prompt => checkPolicy(prompt, 'mango'));
  expect(corpus.harmless.length).toBeGreaterThanOrEqual(500);
  expect(refused.length, refused.join('\n')).toBeLessThanOrEqual(REFUSED.harmless);
});

test.each(Object.keys(corpus.harmful))(
  'the shipped policy misses no more harmful prompts than the known number: %s',
  category => {
    const missed = corpus.harmful[category]!.filter(prompt => !checkPolicy(prompt, 'mango'));
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(MISSED[category] ?? 0);
  },
);

test('a very long, repetitive prompt is checked before the test times out', () => {
  const words = ['child', 'stone', 'nude'].map((word, i) => `${word} `.repeat([20_000, 20, 20_000][i]!)).join('');
  expect(checkPolicy(words, 'mango')).toBeNull();
});
