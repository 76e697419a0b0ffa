import { expect, test } from 'vitest';
import { readPrompt } from '#preview-engine/read-prompt';

test.each([
  ['a man and foxes', ['man', 'fox']],
  ['Boote, Füchse, Schmetterlinge und Hunde', ['sailboat', 'butterfly', 'dog']],
  ['two lighthouses, whales, butterflies', ['lighthouse', 'whale', 'butterfly']],
  ['ein Märchenleuchtturm', ['lighthouse']],
  ['灯台と猫', ['lighthouse', 'cat']],
  // known words inside other words
  ['many persons in the manner of a stage play', ['person']],
  ['a reconfigured template, comfortable', []],
  ['take care of the mane', []],
])('%s: subjects %j', (prompt, subjects) => expect(readPrompt(prompt).subjects).toEqual(subjects));

test.each([
  ['vegetables from storage, a driver, an old tale', [], []],
  ['a snowy mountain', ['mountains'], ['snow']],
  ['Abenddämmerung über leafy hills', ['hills'], ['leaves']],
])('%s: settings %j, weather %j', (prompt, settings, weathers) => {
  const reading = readPrompt(prompt);
  expect([reading.settings, [...reading.weathers]]).toEqual([settings, weathers]);
});

test('different emoji count as different prompts', () => {
  const [fox, rocket, flag, other] = ['🦊', '🚀', '🇫🇷', '🇯🇵'].map(prompt => readPrompt(prompt).unknown);
  expect(new Set([fox, rocket, flag, other, 0]).size).toBe(5);
});

test('words in the negative prompt remove their subjects', () => {
  expect(readPrompt('a cat and a dog', 'dogs').subjects).toEqual(['cat']);
});
