import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { loadCatalog } from '#lib/catalog/catalog';
import { toCatalogEntry } from '#lib/catalog/to-entry';
import { catalogEntry } from '#lib/contract/catalog-entry';

const architectures = loadCatalog(join(import.meta.dirname, '../../catalog')).list();
const entries = architectures.map(architecture => toCatalogEntry(architecture, 'https://pomona.example'));
const entryOf = (id: string) => entries.find(entry => entry.id === id);

test.each([
  ['mango', 'image', 135, 'mango-v3', 10],
  ['guava', 'image', 37, 'guava', 3],
  ['anima', 'image', 20, 'anima-v1', 0],
  ['z_image', 'image', 10, 'z-image-turbo', 0],
  ['chroma', 'image', 35, 'chroma-v1-hd', 0],
  ['hidream', 'image', 20, 'hidream-fast', 0],
  ['kiwi', 'video', 270, 'kiwi', 0],
  ['blueberry', 'video', 360, 'blueberry-v2', 0],
  ['cherry', 'video', 618, 'cherry-2-pro', 50],
  ['raspberry', 'video', 360, 'raspberry', 5],
  ['berry', 'video', 189, 'berry-2', 4],
  ['melon', 'video', 147, 'melon', 4],
  ['plum', 'video', 338, 'plum-max', 9],
  ['lemon', 'video', 245, 'lemon', 9],
  ['ltx_video', 'video', 20, 'ltx-video-096-distilled', 0],
  ['seed_audio', 'audio', 19, 'seed-audio-1.0', 1],
])('%s is a %s architecture of %i gems', (id, type, gems, modelId, maxImages) => {
  expect(entryOf(id)).toMatchObject({
    type,
    gems,
    base_config: { model_id: modelId },
    max_images: maxImages,
    generate_url: `https://pomona.example/v1/${id}/generate`,
    estimate_url: `https://pomona.example/v1/${id}/estimate`,
  });
});

test('a catalog entry names the fields for media and the options that a variant narrows', () => {
  expect(entryOf('plum')).toMatchObject({
    image_inputs: {
      first_frame: 'first_image',
      last_frame: 'last_image',
      references: { field: 'image', additional_field: 'additional_images' },
    },
    video_inputs: { field: 'videos', cardinality: 'list' },
    options: { resolution: ['768P', '2K', '480P'] },
    options_by_model: { plum: { resolution: ['768P', '2K'] } },
    character_voices_switch: 'use_character_voices',
    source_video: { seconds: [2, 15], max_images: 2 },
  });
  expect(entryOf('kiwi')).toMatchObject({ video_inputs: null, image_inputs: { last_frame: null, references: null } });
  expect(entryOf('berry')).toMatchObject({ video_inputs: { field: 'video', cardinality: 'single' } });
});

test('needed media are required by the input schema, unless mentions can provide them', () => {
  const architecture = (id: string) => architectures.find(one => one.id === id)!;
  const required = (id: string, needs: object, more: object = {}) =>
    toCatalogEntry({ ...architecture(id), needs, ...more }, '').input_schema.required;
  const { mentions } = architecture('mango');
  expect(required('mango', { reference: 1 }, { mentions: { ...mentions, characters: [], references: [] } })).toEqual([
    'prompt',
    'image',
  ]);
  for (const kind of ['characters', 'references'] as const)
    expect(required('mango', { reference: 1 }, { mentions: { ...mentions, [kind]: [] } })).toEqual(['prompt']);
  expect(required('lemon', { first_frame: 1, source_video: 1 })).toEqual(['prompt', 'first_image', 'videos']);
});

test('a catalog entry names the field that takes a mask', () => {
  const mango = architectures.find(({ id }) => id === 'mango')!;
  expect(entryOf('mango')?.mask_input).toBeNull();
  expect(toCatalogEntry({ ...mango, roles: { ...mango.roles, mask: 'mask' } }, '').mask_input).toBe('mask');
});

test('a catalog entry has opt_in only if its architecture does', () => {
  const marked = toCatalogEntry({ ...architectures[0]!, opt_in: true }, 'https://pomona.example');
  expect(catalogEntry.parse(marked)).toMatchObject({ opt_in: true });
  expect(entries[0]).not.toHaveProperty('opt_in');
});

test('the properties of an input schema begin with the prompt and end with the seed', () => {
  for (const { input_schema: schema } of entries) {
    const names = Object.keys(schema.properties);
    expect([names[0], names.at(-1)]).toEqual(['prompt', 'seed']);
    expect(names.map(name => schema.properties[name]?.['x-order'])).toEqual(names.map((_, index) => index));
  }
  expect(Object.keys(entryOf('lemon')?.input_schema.properties ?? {}).slice(0, 8)).toEqual([
    'prompt',
    'first_image',
    'last_image',
    'image',
    'additional_images',
    'videos',
    'model_id',
    'aspect_ratio',
  ]);
});

test('every schema is valid JSON Schema 2020-12 and accepts its own base config only with a prompt', () => {
  const ajv = new Ajv2020({ strict: false });
  for (const { input_schema: schema, base_config: config } of entries) {
    const validate = ajv.compile(schema);
    expect(validate({ ...config, prompt: 'a pear', seed: null }), JSON.stringify(validate.errors)).toBe(true);
    expect(validate(config)).toBe(false);
  }
});

test('every catalog entry matches the schema of the contract exactly', () => {
  for (const entry of entries) expect(catalogEntry.parse(entry)).toEqual(entry);
});

/** All five members are always present; they list model ids where mentions of that kind are accepted. */
const NO_MENTIONS = {
  characters: [],
  references: [],
  audio_references: [],
  max_audio_references: 0,
  character_voices: false,
};

test('every catalog entry lists the variants that accept each kind of mention', () => {
  const taking = (id: string) => {
    const all = entryOf(id)?.options.model_id;
    const pictures = { ...NO_MENTIONS, characters: all, references: all };
    const sounds = { ...NO_MENTIONS, audio_references: all, max_audio_references: 3, character_voices: true };
    return { pictures, sounds, both: { ...pictures, ...sounds, characters: all, references: all } };
  };
  for (const id of ['anima', 'z_image', 'chroma', 'hidream', 'kiwi', 'ltx_video'])
    expect(entryOf(id)?.mentions, id).toEqual(NO_MENTIONS);
  for (const id of ['mango', 'guava', 'berry', 'melon']) expect(entryOf(id)?.mentions, id).toEqual(taking(id).pictures);
  for (const id of ['cherry', 'raspberry', 'plum', 'lemon']) expect(entryOf(id)?.mentions, id).toEqual(taking(id).both);
  expect(entryOf('seed_audio')?.mentions).toEqual(taking('seed_audio').sounds);
  expect(entryOf('blueberry')?.mentions).toEqual({
    ...NO_MENTIONS,
    audio_references: ['blueberry', 'blueberry-v2'],
    max_audio_references: 1,
  });
});

test('options_by_model is keyed by variant and field, and contains only narrowed options', () => {
  expect(entryOf('mango')?.options_by_model).toEqual({
    mango: { resolution: ['1K', '2K'] },
    'mango-v2': { resolution: ['2K', '3K', '4K'] },
    'mango-v3s': { resolution: ['2K', '3K'] },
    'mango-v3': { resolution: ['1K', '2K'] },
    'mango-v3-turbo': { resolution: ['1K', '2K'] },
  });
  expect(entryOf('berry')?.options_by_model).toEqual({ berry: { resolution: ['720p', '1080p'] } });
  expect(Object.keys(entryOf('cherry')?.options_by_model['cherry-pro'] ?? {})).toEqual(['duration']);
  expect(entryOf('guava')?.options_by_model).toEqual({});
});

test('a sample rate is any whole number in its range, not one of several options', () => {
  const { options, input_schema, base_config } = entryOf('seed_audio') ?? expect.fail();
  expect(options).not.toHaveProperty('sample_rate');
  expect(base_config.sample_rate).toBe(48_000);
  const property = { type: 'number', minimum: 8000, maximum: 48_000, multipleOf: 1, default: 48_000 };
  expect(input_schema.properties.sample_rate).toMatchObject(property);
  expect(input_schema.properties.sample_rate).not.toHaveProperty('enum');
});

test.each([
  ['anima', 'What to make.'],
  ['kiwi', 'What to make.'],
  ['mango', 'What to make. Mention saved characters and references as @handle.'],
  ['lemon', 'What to make. Mention saved characters and references as @handle.'],
  ['blueberry', 'What to make. Mention saved audio references as @handle.'],
  ['seed_audio', 'What to make. Mention saved characters with a voice and audio references as @handle.'],
])('the prompt description of %s names the mentions that it accepts', (id, description) => {
  expect(entryOf(id)?.input_schema.properties.prompt?.description).toBe(description);
});
