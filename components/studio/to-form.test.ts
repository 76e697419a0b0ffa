import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compileValidator } from '#components/studio/compile-validator';
import { aspectOf, baseConfig, changedFields, fitConfig } from '#components/studio/config';
import { toSnippet } from '#components/studio/snippets';
import { faultsByField } from '#components/studio/field-faults';
import { toForm, toFormSchema } from '#components/studio/to-form';
import { takesAnyMention, takesMentions } from '#lib/catalog/architecture';
import { catalog } from '#lib/catalog/catalog';
import { priceOf } from '#lib/catalog/price';
import { toCatalogEntry } from '#lib/catalog/to-entry';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

const entries = catalog()
  .list()
  .map(architecture => toCatalogEntry(architecture, 'http://localhost'));
const named = (id: string) => entries.find(entry => entry.id === id)!;

const optionsOf = (entry: CatalogEntry, field: string, model = String(entry.base_config.model_id)) =>
  toForm(entry, model).find(({ name }) => name === field)!.options;

async function validatorOf(entry: CatalogEntry) {
  const code = compileValidator(entry);
  const { validate } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return (config: object): string[] => (validate(config) ? [] : [...faultsByField(validate.errors).keys()]);
}

/** A model that is not in the catalog, with field names and aspect ratios of its own. */
const seventeenth: CatalogEntry = {
  ...named('anima'),
  id: 'quince',
  name: 'Quince',
  base_config: { model_id: 'quince-1', quince_shape: '2:1', takes: 3, mood: 'calm', glow: 0.5 },
  options: {
    model_id: ['quince-1', 'quince-2'],
    quince_shape: ['2:1', '1:2'],
    mood: ['calm', 'wild', 'soft', 'loud', 'dry', 'wet', 'dim', 'odd'],
  },
  options_by_model: { 'quince-2': { mood: ['wild', 'odd'] } },
  input_schema: {
    ...named('anima').input_schema,
    properties: {
      seed: { type: ['integer', 'null'], minimum: 0, maximum: 4294967295 },
      glow: { type: 'number', minimum: 0, maximum: 1, description: 'Light.' },
      takes: { type: 'integer', minimum: 1, description: 'How often.' },
      mood: { type: 'string', enum: ['calm', 'wild', 'soft', 'loud', 'dry', 'wet', 'dim', 'odd'] },
      quince_shape: { type: 'string', enum: ['2:1', '1:2'] },
      model_id: { type: 'string', enum: ['quince-1', 'quince-2'] },
      sketch: { type: 'string', pattern: '^(https?://|data:)', 'x-media': 'image' },
      prompt: { type: 'string', minLength: 1, pattern: '\\S' },
    },
  },
  price: { gems: 7, factors: { model_id: { 'quince-1': 1, 'quince-2': 2 } } },
};

const all = [...entries, seventeenth];

test('the catalog has every architecture in catalog/architectures', () => {
  expect(entries.map(({ id }) => id).toSorted()).toEqual(
    readdirSync('catalog/architectures')
      .map(file => file.replace('.json', ''))
      .toSorted(),
  );
});

test.each(all.map(entry => [entry.id, entry] as const))(
  '%s: every field has a position, a title and a widget',
  (_, entry) => {
    const fields = toForm(entry, String(entry.base_config.model_id));
    const schema = toFormSchema(entry);
    const names = Object.keys(entry.input_schema.properties);
    expect(Object.keys(schema.properties)).toEqual(names);
    const order = fields.map(({ name }) => name);
    expect(order.toSorted()).toEqual(names.toSorted());
    expect(order[0]).toBe('prompt');
    expect(order.at(-1)).toBe('seed');
    for (const name of names) {
      const { widget, title } = optionsOf(entry, name);
      expect(title).toMatch(/^[A-Z]/);
      expect(widget).toBeTruthy();
      if (widget === 'range') expect(schema.properties[name]).toMatchObject({ minimum: expect.any(Number) });
    }
    expect(schema).toMatchObject({ additionalProperties: false });
    expect(JSON.stringify(schema)).not.toMatch(/"default"|"null"|\$schema/);
  },
);

test.each(all.map(entry => [entry.id, entry] as const))(
  '%s: the compiled validator accepts valid configs and names faulty fields',
  async (_, entry) => {
    const faults = await validatorOf(entry);
    const models = entry.options.model_id ?? [];
    for (const model of models) {
      expect(faults({ ...baseConfig(entry, model), prompt: 'A fig 🍐' })).toEqual([]);
    }
    expect(faults(baseConfig(entry))).toContain('prompt');
    expect(faults({ prompt: 'a', seed: 2 ** 32 })).toEqual(['seed']);
    expect(faults({ prompt: 'a', model_id: 'other' })).toEqual(['model_id']);
    expect(faults({ prompt: 'a', other: 1 })).toHaveLength(1);
  },
);

test('a compiled validator requires nothing from Ajv but its string length function', () => {
  for (const entry of all) {
    const asked = [...compileValidator(entry).matchAll(/require\("([^"]+)"\)/g)].map(([, name]) => name);
    expect(new Set(asked)).toEqual(new Set(['ajv/dist/runtime/ucs2length']));
  }
});

test('the length of a prompt is counted in Unicode characters, as on the server', async () => {
  const faults = await validatorOf(named('seed_audio'));
  expect(faults({ prompt: '🍐'.repeat(3000) })).toEqual([]);
  expect(faults({ prompt: '🍐'.repeat(3001) })).toEqual(['prompt']);
});

test('the widget of a field follows from its schema', () => {
  expect(optionsOf(named('mango'), 'aspect_ratio').widget).toBe('ratio');
  expect(optionsOf(named('mango'), 'additional_images')).toMatchObject({
    widget: 'mediaList',
    media: 'image',
    maxItems: 10,
  });
  expect(optionsOf(named('plum'), 'videos')).toMatchObject({ widget: 'mediaList', media: 'video' });
  expect(optionsOf(named('kiwi'), 'first_image')).toMatchObject({ widget: 'media', group: 'media' });
  expect(optionsOf(named('plum'), 'duration').widget).toBe('choice');
  expect(optionsOf(named('melon'), 'resolution').widget).toBe('chips');
  expect(optionsOf(named('melon'), 'generate_audio')).toMatchObject({ widget: 'toggle', group: 'main' });
  expect(optionsOf(named('guava'), 'prompt_extend')).toMatchObject({ widget: 'toggle', group: 'advanced' });
  expect(optionsOf(named('anima'), 'guidance_scale')).toMatchObject({ widget: 'range', group: 'advanced' });
  expect(optionsOf(named('hidream'), 'negative_prompt').widget).toBe('words');
  expect(optionsOf(named('seed_audio'), 'model_id').widget).toBe('hidden');
  expect(optionsOf(seventeenth, 'quince_shape')).toMatchObject({
    widget: 'ratio',
    title: 'Quince shape',
    group: 'main',
  });
  expect(optionsOf(seventeenth, 'takes').widget).toBe('amount');
  expect(optionsOf(named('seed_audio'), 'sample_rate').widget).toBe('amount');
  expect(optionsOf(seventeenth, 'mood').widget).toBe('choice');
  expect(optionsOf(seventeenth, 'sketch')).toMatchObject({ widget: 'media', media: 'image' });
});

test('a variant limits the options of the form but does not change its schema', () => {
  const mango = named('mango');
  expect(optionsOf(mango, 'resolution', 'mango-v2').tokens).toEqual(['2K', '3K', '4K']);
  expect(optionsOf(mango, 'resolution', 'mango').tokens).toEqual(['1K', '2K']);
  const schemas = (model: string) => toForm(mango, model).map(({ schema }) => schema);
  expect(schemas('mango-v2')).toEqual(schemas('mango'));
  expect(optionsOf(seventeenth, 'mood', 'quince-2')).toMatchObject({ tokens: ['wild', 'odd'], widget: 'chips' });
});

test('price, mentions, aspect ratio and code of an unknown model follow from its catalog entry alone', () => {
  const config = { ...baseConfig(seventeenth), prompt: 'A quince', model_id: 'quince-2', mood: 'odd' };
  expect(priceOf(seventeenth, config)).toBe(14);
  expect(takesAnyMention(seventeenth, 'quince-2')).toBe(false);
  expect(
    takesMentions({ mentions: { ...seventeenth.mentions, characters: ['quince-2'] } }, 'characters', 'quince-2'),
  ).toBe(true);
  expect(aspectOf(seventeenth, { quince_shape: '1:2' })).toBe(0.5);
  const body = changedFields(seventeenth, config);
  expect(body).toEqual({ prompt: 'A quince', model_id: 'quince-2', mood: 'odd' });
  expect(toSnippet('curl', { baseUrl: 'http://x', architecture: 'quince', body })).toContain('/v1/quince/generate');
});

test('only settings that differ from the defaults are sent', () => {
  const mango = named('mango');
  const config = { ...baseConfig(mango), prompt: 'A fig', aspect_ratio: '1:1', seed: undefined, additional_images: [] };
  expect(changedFields(mango, config)).toEqual({ prompt: 'A fig', aspect_ratio: '1:1' });
  const ltx = named('ltx_video');
  expect(changedFields(ltx, { ...baseConfig(ltx), prompt: 'A fig', negative_prompt: '' })).toEqual({
    prompt: 'A fig',
    negative_prompt: '',
  });
});

test('values that a variant does not accept become its defaults, and their fields are listed', () => {
  const mango = named('mango');
  const { config, dropped } = fitConfig(mango, {
    prompt: 'A fig',
    model_id: 'mango',
    resolution: '4K',
    other: 1,
    seed: null,
  });
  expect(config).toMatchObject({ prompt: 'A fig', model_id: 'mango', resolution: '2K' });
  expect(dropped).toEqual(['resolution', 'other']);
  expect(fitConfig(seventeenth, { model_id: 'quince-2' }).config.mood).toBe('wild');
});
