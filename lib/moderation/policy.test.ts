import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkPolicy, parsePolicy } from '#lib/moderation/policy';

const policy = parsePolicy({
  rules: [
    { id: 'words', scope: 'service', terms: ['rotten apple', 'c++'] },
    { id: 'both', scope: 'service', terms: ['pear'], and_terms: ['knife', 'knives'] },
    { id: 'pattern', scope: 'external', patterns: ['\\bbrand[ -]?\\d+\\b'] },
    { id: 'video-only', scope: 'external', terms: ['plum'], architectures: ['kiwi'] },
  ],
});
const rule = (prompt: string, architecture = 'mango') => policy(prompt, architecture)?.rule ?? null;

test.each([
  ['a rotten apple on a table', 'words'],
  ['A ROTTEN\n  Apple!', 'words'],
  ['rot\u200bten ap\u00adple', 'words'],
  ['ｒｏｔｔｅｎ apple', 'words'],
  ['rotten apples', null],
  ['unrotten apple', null],
  ['written in C++', 'words'],
  ['a pear', null],
  ['a pear, two knives', 'both'],
  ['knives only', null],
  ['BRAND-12 shoes', 'pattern'],
  ['plum', null],
])('%j breaks %j', (prompt, expected) => {
  expect(rule(prompt)).toBe(expected);
});

test('a rule can be for some architectures, and its scope is told', () => {
  expect(policy('plum', 'kiwi')).toEqual({ scope: 'external', rule: 'video-only' });
});

test('a file of another shape is refused', () => {
  const refused = (entry: object) => () =>
    parsePolicy({ rules: [{ id: 'x', scope: 'service', terms: ['a'], ...entry }] });
  expect(refused({})).not.toThrow();
  expect(refused({ patterns: ['('] })).toThrow('regular expression');
  expect(refused({ terms: [] })).toThrow('terms or patterns');
  expect(refused({ scope: 'elsewhere' })).toThrow();
  expect(refused({ term: ['a'] })).toThrow();
});

test('the shipped policy blocks what it is for and leaves everyday prompts alone', () => {
  expect(checkPolicy('a nude child', 'mango')).toEqual({ scope: 'service', rule: 'minors' });
  expect(checkPolicy('sexy 16-year-old', 'mango')).toEqual({ scope: 'service', rule: 'minors' });
  expect(checkPolicy('a fake passport', 'mango')).toEqual({ scope: 'external', rule: 'forged-documents' });
  for (const prompt of [
    'a child flying a kite',
    'a nude in oil, 35-year-old woman',
    'a pipe bomb shelter from 1943',
    'a passport on a desk',
  ]) {
    expect(checkPolicy(prompt, 'mango')).toBeNull();
  }
  const file = readFileSync(join(import.meta.dirname, '../../catalog/policy.json'), 'utf8');
  expect(() => parsePolicy(JSON.parse(file))).not.toThrow();
});
