import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { catalog } from '#lib/catalog/catalog';
import { readRecipeFile } from '#lib/catalog/recipe-file';
import { fileRecipes, listRecipes } from '#lib/catalog/recipes';
import { render } from '#lib/catalog/render-template';

const PAIR = {
  id: 'pair',
  name: 'Pair',
  description: 'For tests.',
  inputs: {
    subject: { description: 'What it shows.', minLength: 1, maxLength: 100 },
    count: { type: 'integer', minimum: 1, maximum: 4, default: 2, description: 'How many.' },
    mood: { enum: ['calm', 'wild'], default: 'calm', description: 'How it feels.' },
  },
  required: ['subject'],
  words: { mood: { calm: 'quiet', wild: ['storm', 'fire'] } },
  steps: [
    { id: 'first', name: 'First', architecture: 'mango', body: { prompt: '{{subject}}, {{mood}}', resolution: '1K' } },
    {
      id: 'rest',
      name: 'Rest',
      architecture: 'mango',
      each: '{{count}}',
      body: { prompt: '{{number}}', image: '{{first}}' },
    },
  ],
  results: ['rest'],
};

const places = (changes: object) =>
  readRecipeFile({ ...PAIR, ...changes }, catalog().find).issues.map(({ path }) => path);
const step = (changes: object) => [{ ...PAIR.steps[0], ...changes }];

test('all shipped recipes are valid', () => {
  expect(fileRecipes().errors).toEqual([]);
  expect(listRecipes().length).toBeGreaterThanOrEqual(10);
});

test('the example recipe in the guide is valid', () => {
  const [, written = ''] = /^```json\n([^]*?)^```$/m.exec(readFileSync('docs/recipes.md', 'utf8')) ?? [];
  expect(readRecipeFile(JSON.parse(written), catalog().find).issues).toEqual([]);
});

test.each([
  ['nothing', {}, []],
  ['an id that is a path', { id: 'runs' }, ['/id']],
  ['an unknown member', { colour: 'red' }, ['']],
  ['an input without words', { inputs: { subject: {} } }, ['/inputs/subject/description']],
  [
    'a default that it would refuse',
    { inputs: { ...PAIR.inputs, count: { ...PAIR.inputs.count, default: 9 } } },
    ['/inputs/count/default'],
  ],
  ['a requirement that is no input', { required: ['object'] }, ['/required/0']],
  ['a token without words', { words: { mood: { calm: 'quiet' } } }, ['/words/mood']],
  ['words for what has no tokens', { words: { subject: { a: 'b' } } }, ['/words/subject']],
  [
    'an architecture that is none',
    { steps: step({ architecture: 'papaya' }), results: ['first'] },
    ['/steps/0/architecture'],
  ],
  [
    'a field that the architecture has not',
    { steps: step({ body: { prompt: 'a', size: '1K' } }), results: ['first'] },
    ['/steps/0/body/size'],
  ],
  [
    'a token that the architecture refuses',
    { steps: step({ body: { prompt: 'a', resolution: '9K' } }), results: ['first'] },
    ['/steps/0/body/resolution'],
  ],
  ['a step without a prompt', { steps: step({ body: { resolution: '1K' } }), results: ['first'] }, ['/steps/0/body']],
  [
    'a name that nothing has',
    { steps: step({ body: { prompt: '{{rest}}' } }), results: ['first'] },
    ['/steps/0/body/prompt'],
  ],
  [
    'its own item where there are none',
    { steps: step({ body: { prompt: '{{each}}' } }), results: ['first'] },
    ['/steps/0/body/prompt'],
  ],
  [
    'a template that breaks off',
    { steps: step({ body: { prompt: '{{#subject}}' } }), results: ['first'] },
    ['/steps/0/body/prompt'],
  ],
  [
    'a name that nothing has, where there is something',
    { steps: step({ body: { prompt: '{{#subject}}{{rest}}{{/subject}}' } }), results: ['first'] },
    ['/steps/0/body/prompt'],
  ],
  [
    'a request for each of what nothing has',
    { steps: step({ each: ['{{rest}}'] }), results: ['first'] },
    ['/steps/0/each'],
  ],
  [
    'more steps than it may have',
    { steps: Array.from({ length: 9 }, (_, at) => ({ ...PAIR.steps[0], id: `s${at}` })), results: ['s0'] },
    ['/steps'],
  ],
  ['a step with the name of an item', { steps: step({ id: 'each' }), results: ['each'] }, ['/steps/0']],
  ['a step with the name of an input', { steps: step({ id: 'subject' }), results: ['subject'] }, ['/steps/0']],
  [
    'a number of requests without an end',
    { inputs: { ...PAIR.inputs, count: { type: 'integer', default: 2, description: 'Many.' } } },
    ['/steps/1/each'],
  ],
  [
    'a list without an end',
    { inputs: { ...PAIR.inputs, count: { type: 'array', description: 'Many.' } } },
    ['/steps/1/each'],
  ],
  [
    'one request for each of a former step, which is right',
    { steps: [PAIR.steps[0], { ...PAIR.steps[1], each: '{{first}}' }] },
    [],
  ],
  ['a result that no step makes', { results: ['last'] }, ['/results/0']],
])('issues of a recipe file with %s are reported by path', (_, changes, expected) => {
  expect(places(changes)).toEqual(expected);
});

test('templates insert values unchanged and render empty ones as undefined', () => {
  const values = { word: '{{list}} & <b>', list: ['a', 'b'], none: '', number: 0 };
  expect(render('{{word}} {{#none}}never{{/none}}{{^none}}else{{/none}}', values)).toBe('{{list}} & <b> else');
  expect(render('{{list}}', values)).toEqual(['a', 'b']);
  expect(render('{{number}}', values)).toBe(0);
  expect(render(['x', '{{list}}', '{{none}}'], values)).toEqual(['x', 'a', 'b']);
  const empty = ['{{none}}', ['{{missing}}'], ' ', '{{nobody}}'];
  expect(empty.map(template => render(template, { ...values, nobody: [] }))).toEqual(empty.map(() => undefined));
  expect(render(true, values)).toBe(true);
});
