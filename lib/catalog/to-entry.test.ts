import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { loadCatalog } from '#lib/catalog/catalog';
import { toCatalogEntry } from '#lib/catalog/to-entry';

const root = join(import.meta.dirname, '../..');
const entries = loadCatalog(join(root, 'catalog'))
  .list()
  .map(architecture => toCatalogEntry(architecture, 'https://pomona.example'));
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

test('an entry says where media go and what a variant narrows', () => {
  expect(entryOf('plum')).toMatchObject({
    image_inputs: {
      first_frame: 'first_image',
      last_frame: 'last_image',
      references: { field: 'image', additional_field: 'additional_images' },
    },
    video_inputs: { field: 'videos', cardinality: 'list' },
    options: { resolution: ['768P', '2K', '480P'] },
    options_by_model: { resolution: { plum: ['768P', '2K'] } },
    character_voices_switch: 'use_character_voices',
    source_video: { seconds: [2, 15], max_images: 2 },
  });
  expect(entryOf('kiwi')).toMatchObject({ video_inputs: null, image_inputs: { last_frame: null, references: null } });
  expect(entryOf('berry')).toMatchObject({ video_inputs: { field: 'video', cardinality: 'single' } });
});

test('a form starts with the prompt and ends with the seed', () => {
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

test('every schema is valid JSON Schema 2020-12 and accepts its own base config', () => {
  const ajv = new Ajv2020({ strict: false });
  for (const { input_schema: schema, base_config: config } of entries) {
    const validate = ajv.compile(schema);
    expect(validate({ ...config, prompt: 'a pear', seed: null }), JSON.stringify(validate.errors)).toBe(true);
    expect(validate(config)).toBe(false);
  }
});

interface Facts {
  architectures: ({
    id: string;
    gems_default: number;
    model_ids: string[];
    default_model_id: string;
    fields: Record<
      string,
      { type: unknown; media?: string; items?: { media: string }; enum?: unknown; default?: unknown }
    >;
    options_by_model?: unknown;
    mentions?: unknown;
    max_images_by_model?: unknown;
    max_audio_references?: number;
    ranges?: Record<string, [number, number]>;
    sample_rates?: number[];
  } & Record<
    'name' | 'type' | 'description' | 'image_inputs' | 'video_inputs' | 'character_voices_switch' | 'max_images',
    unknown
  >)[];
}

const factsFile = join(root, '../shared/spec/architectures.json');

test.skipIf(!existsSync(factsFile))('every entry agrees with the published facts', () => {
  const { architectures } = JSON.parse(readFileSync(factsFile, 'utf8')) as Facts;
  expect(entries.map(({ id }) => id)).toEqual(architectures.map(({ id }) => id));
  for (const facts of architectures) {
    const { input_schema: schema, ...entry } = entryOf(facts.id) ?? expect.fail(`no ${facts.id}`);
    const { id, name, type, description, image_inputs, video_inputs, character_voices_switch, max_images } = facts;
    expect(entry).toMatchObject({
      id,
      name,
      type,
      description,
      image_inputs,
      video_inputs,
      character_voices_switch,
      max_images,
    });
    expect(entry.gems).toBe(facts.gems_default);
    expect(entry.options.model_id).toEqual(facts.model_ids);
    expect(entry.options_by_model).toEqual(facts.options_by_model ?? {});
    expect(entry.mentions).toEqual(facts.mentions ?? {});
    expect(entry.max_images_by_model).toEqual(facts.max_images_by_model ?? {});
    expect(entry.max_audio_references).toBe(facts.max_audio_references ?? 0);
    expect(Object.keys(schema.properties).sort()).toEqual(Object.keys(facts.fields).sort());
    const defaults = Object.entries(facts.fields).filter(([, field]) => 'default' in field);
    expect(entry.base_config).toEqual(
      Object.fromEntries(defaults.map(([field, { default: value }]) => [field, value])),
    );
    for (const [field, fact] of Object.entries(facts.fields)) {
      const property = schema.properties[field];
      expect(property, `${id}.${field}`).toMatchObject({ type: fact.type });
      expect(property?.default).toEqual(fact.default);
      expect(property?.['x-media']).toBe(fact.media ?? fact.items?.media);
      if (field !== 'sample_rate') expect(property?.enum).toEqual(fact.enum);
    }
    for (const [field, [minimum, maximum]] of Object.entries(facts.ranges ?? {})) {
      expect(schema.properties[field]).toMatchObject({ minimum, maximum });
    }
    expect(schema.properties.sample_rate?.enum).toEqual(facts.sample_rates);
  }
});
