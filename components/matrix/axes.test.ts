import { expect, test } from 'vitest';
import { axesFor, cellsOf, usualAxes, type Axis } from '#components/matrix/axes';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

function entryOf(id: string, models: string[], ratios: string[], more: Record<string, object> = {}): CatalogEntry {
  return {
    id,
    name: id.toUpperCase(),
    type: 'image',
    base_config: { model_id: models[0], aspect_ratio: ratios[0] },
    options: { model_id: models, aspect_ratio: ratios },
    options_by_model: { plum2: { aspect_ratio: ['1:1'] } },
    price: { gems: 1, factors: {} },
    image_inputs: {},
    input_schema: {
      properties: {
        prompt: { type: 'string' },
        model_id: { type: 'string', title: 'Variant' },
        aspect_ratio: { type: 'string' },
        seed: { type: ['integer', 'null'] },
        ...more,
      },
    },
  } as unknown as CatalogEntry;
}

const plum = entryOf('plum', ['plum1', 'plum2'], ['1:1', '16:9'], {
  guidance: { type: 'number', minimum: 1, maximum: 9, multipleOf: 0.5 },
  magic: { type: 'boolean' },
});
const fig = entryOf('fig', ['fig1'], ['1:1', '3:2']);
const entries = [fig, plum, { ...fig, id: 'song', type: 'audio' } as CatalogEntry];

const config = { prompt: 'a fig', model_id: 'plum1', aspect_ratio: '16:9' };
const axes = axesFor(plum, entries, config, 70);
const labels = (axis: Axis | undefined) => axis?.values.map(({ label }) => label);
const axis = (field: string) => axes.find(one => one.field === field)!;

test('every field with several values can be an axis, with the current value first', () => {
  expect(axes.map(({ field }) => field).toSorted()).toEqual([
    'architecture',
    'aspect_ratio',
    'guidance',
    'magic',
    'model_id',
    'seed',
  ]);
  expect(labels(axis('architecture'))).toEqual(['PLUM', 'FIG']);
  expect(labels(axis('aspect_ratio'))).toEqual(['16:9', '1:1']);
  expect(labels(axis('guidance'))).toEqual(['1', '3', '5', '7', '9']);
  const guided = axesFor(plum, entries, { ...config, guidance: 4.5 }, 70).find(({ field }) => field === 'guidance');
  expect(labels(guided)).toEqual(['4.5', '1', '3', '5', '7', '9']);
  expect(labels(axis('magic'))).toEqual(['Yes', 'No']);
  expect(labels(axis('seed'))).toEqual(['70', '71', '72', '73', '74', '75']);
  expect(
    labels(axesFor(plum, entries, { ...config, seed: 2 ** 32 - 1 }, 70).find(({ field }) => field === 'seed')),
  ).toEqual(['4294967295', '0', '1', '2', '3', '4']);
});

test('the default axes are alternatives in the prompt, otherwise variants and seeds', () => {
  expect(usualAxes(axes).map(one => [one.field, one.values.length])).toEqual([
    ['model_id', 2],
    ['seed', 3],
  ]);
  const worded = axesFor(plum, entries, { ...config, prompt: 'a {red|blue} fig in {rain|sun|}' }, 70);
  const [across, down] = usualAxes(worded);
  expect([across.title, down.title]).toEqual(['red or blue', 'rain or sun or nothing']);
  const prompts = cellsOf(
    { entry: plum, entries, config: { ...config, prompt: 'a {red|blue} fig in {rain|sun|}' }, seed: 70 },
    across,
    down,
  );
  expect(prompts.map(row => row.map(cell => cell.config.prompt))).toEqual([
    ['a red fig in rain', 'a blue fig in rain'],
    ['a red fig in sun', 'a blue fig in sun'],
    ['a red fig in ', 'a blue fig in '],
  ]);
});

test('alternatives that are not an axis become their first option; braces without options stay', () => {
  const [[cell] = []] = cellsOf(
    { entry: plum, entries, config: { prompt: '{a|b} {c}' }, seed: 1 },
    axis('seed'),
    axis('magic'),
  );
  expect(cell?.config.prompt).toBe('a {c}');
});

test('all cells have the same seed, unless seeds are an axis', () => {
  const draft = { entry: plum, entries, config: { ...config, seed: undefined }, seed: 70 };
  const same = cellsOf(draft, axis('magic'), axis('aspect_ratio')).flat();
  expect(new Set(same.map(cell => cell.config.seed))).toEqual(new Set([70]));
  const seeds = cellsOf(draft, axis('magic'), axis('seed'));
  expect(seeds.map(([cell]) => cell?.config.seed)).toEqual([70, 71, 72, 73, 74, 75]);
});

test('a cell replaces values that its model or variant does not accept, and lists their fields', () => {
  const draft = { entry: plum, entries, config: { ...config, guidance: 5 }, seed: 70 };
  const [[wide, square] = []] = cellsOf(draft, axis('model_id'), axis('seed'));
  expect([wide!.config.aspect_ratio, wide!.dropped]).toEqual(['16:9', []]);
  expect([square!.config.aspect_ratio, square!.dropped]).toEqual(['1:1', ['aspect_ratio']]);
  const [[, other] = []] = cellsOf(draft, axis('architecture'), axis('seed'));
  expect(other).toMatchObject({ entry: { id: 'fig' }, config: { model_id: 'fig1', aspect_ratio: '1:1', seed: 70 } });
  expect(other!.dropped.toSorted()).toEqual(['aspect_ratio', 'guidance']);
});

test('a variant and default settings are not listed when another model does not accept them', () => {
  const own = { ...plum, base_config: { ...plum.base_config, guidance: 5 } };
  const chosen = { ...config, model_id: 'plum2', aspect_ratio: '1:1', guidance: 5 };
  const draft = { entry: own, entries: [fig, own], config: chosen, seed: 70 };
  const [[, other] = []] = cellsOf(draft, axis('architecture'), axis('seed'));
  expect(other).toMatchObject({ entry: { id: 'fig' }, dropped: [] });
});
