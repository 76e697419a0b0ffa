import { expect, test } from 'vitest';
import { fieldOf } from '#lib/catalog/import/field-of';
import type { Literal } from '#lib/catalog/import/literals';

/** Returns a literal of a node without any description. */
const literal = (value: Literal['value'], more: Partial<Literal> = {}): Literal => ({
  id: '1',
  class: 'Grain',
  input: 'amount',
  value,
  spec: undefined,
  title: undefined,
  isOnly: false,
  said: null,
  ...more,
});
const ranged = (type: string, value: number, min: number, max: number) =>
  literal(value, { spec: [type, { min, max }] });

test.each<[string, Literal, object]>([
  ['a whole number', literal(2), { type: 'number', multipleOf: 1, default: 2 }],
  ['a number', literal(0.5), { type: 'number', default: 0.5 }],
  // the node declares a float
  [
    'a number that happens to be whole',
    ranged('FLOAT', 1, 0, 2),
    { type: 'number', minimum: 0, maximum: 2, default: 1 },
  ],
  [
    'a number of a node that counts',
    ranged('INT', 1, 0, 2),
    { type: 'number', minimum: 0, maximum: 2, multipleOf: 1, default: 1 },
  ],
  ['limits of the number alone', ranged('FLOAT', 0.5, -1e12, 1e12), { type: 'number', default: 0.5 }],
  ['limits that its own value breaks', ranged('FLOAT', 3.5, 4, 3), { type: 'number', default: 3.5 }],
  ['a text', literal('x'), { type: 'string', maxLength: 10_000, default: 'x' }],
  ['a switch', literal(true), { type: 'boolean', default: true }],
  ['a switch of a node with choices', literal(true, { spec: [[true, false], {}] }), { type: 'boolean', default: true }],
  ['a choice', literal('a', { spec: [['a', 'b'], {}] }), { type: 'string', enum: ['a', 'b'], default: 'a' }],
  [
    'a choice that is none any more',
    literal('c', { spec: [['a', 'b', 'd'], {}] }),
    { type: 'string', enum: ['a', 'b', 'd', 'c'], default: 'c' },
  ],
  [
    'more choices than anybody looks through',
    literal('0', { spec: [Array.from({ length: 201 }, (_, n) => String(n)), {}] }),
    { type: 'string', maxLength: 10_000, default: '0' },
  ],
])('a value becomes a field of its kind: %s', (_, value, field) => {
  expect(fieldOf('amount', value)).toEqual({ description: 'amount of Grain.', ...field });
});

test.each<[string, Literal, object]>([
  ['guidance_scale', literal(4), { default: 4 }],
  ['guidance_scale', ranged('FLOAT', 4, 1, 20), { default: 4, minimum: 1, maximum: 20 }],
  ['guidance_scale', ranged('FLOAT', 4, -5, 100), { default: 4 }],
  ['guidance_scale', literal(50), { default: 30 }],
  ['num_inference_steps', literal(0), { default: 1 }],
  ['negative_prompt', literal('ugly'), { default: 'ugly' }],
])('the field %s contains only what differs from its common definition', (name, value, field) => {
  expect(fieldOf(name, value)).toEqual(field);
});

test('the title of a node with a single value becomes the field title, cut to the maximum length', () => {
  expect(fieldOf('grain', literal(0.5, { title: '@film_grain', isOnly: true, input: 'value' }))).toMatchObject({
    title: 'Film grain',
    description: 'Film grain.',
  });
  expect(fieldOf('amount', literal(0.5, { title: 'Film' }))).not.toHaveProperty('title');
  expect(fieldOf('x', literal(0.5, { title: 'x'.repeat(90), isOnly: true })).title).toHaveLength(80);
});
