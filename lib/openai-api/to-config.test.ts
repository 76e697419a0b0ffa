import { expect, test } from 'vitest';
import { loadCatalog } from '#lib/catalog/catalog';
import { withPictures } from '#lib/openai-api/models';
import { ownFields, toConfig } from '#lib/openai-api/to-config';

const catalog = loadCatalog('catalog');
const model = (id: string) => catalog.find(id)!;

test.each([
  ['1024x1024', { aspect_ratio: '1:1', resolution: '1k' }],
  ['1024x1536', { aspect_ratio: '2:3', resolution: '1k' }],
  ['1792x1024', { aspect_ratio: '16:9', resolution: '1k' }],
  ['3840x2160', { aspect_ratio: '16:9', resolution: '2k' }],
  ['256x256', { aspect_ratio: '1:1', resolution: '1k' }],
  ['99999x10', { aspect_ratio: '21:9', resolution: '1k' }],
])('the size %s maps to the nearest aspect ratio and resolution', (size, config) => {
  expect(toConfig(model('z_image'), { size })).toEqual(config);
});

test.each([
  ['low', '2K'],
  ['medium', '3K'],
  ['standard', '3K'],
  ['high', '4K'],
  ['hd', '4K'],
  ['max', '4K'],
] as const)('the quality %s maps to a resolution of the model variant', (quality, resolution) => {
  const own = { model_id: 'mango-v2' };
  expect(toConfig(model('mango'), { quality, own })).toEqual({ ...own, resolution });
  // the size still decides the aspect ratio
  expect(toConfig(model('mango'), { quality, size: '512x512', own })).toEqual({
    ...own,
    aspect_ratio: '1:1',
    resolution,
  });
});

test('medium quality maps to the lower, cheaper one of two resolutions', () => {
  expect(toConfig(model('z_image'), { quality: 'medium' })).toEqual({ resolution: '1k' });
});

test('form fields are read as numbers and booleans; invalid values stay unchanged, and null is omitted', () => {
  const form = { seed: '7', guidance_scale: ' ', prompt_enhance: 'maybe', negative_prompt: null, colour: 'red' };
  const own = { seed: 7, guidance_scale: ' ', prompt_enhance: 'maybe' };
  expect(ownFields(model('ltx_video'), form)).toEqual(own);
  expect(ownFields(model('ltx_video'), { seed: 'seven', prompt_enhance: 'false' })).toEqual({
    seed: 'seven',
    prompt_enhance: false,
  });
});

test('omitted options keep their defaults, and fields of the model override the size', () => {
  expect(toConfig(model('mango'), { quality: 'auto', size: null })).toEqual({});
  const own = { aspect_ratio: '21:9', seed: 3 };
  expect(toConfig(model('z_image'), { size: '1024x1024', own })).toEqual({ ...own, resolution: '1k' });
});

test('a transparent background is refused, unless the model has a field of that name', () => {
  const ask = { background: 'transparent' };
  expect(() => toConfig(model('z_image'), ask)).toThrow('background must be auto or opaque');
  expect(toConfig(model('z_image'), { background: 'opaque' })).toEqual({});
  expect(toConfig(model('z_image'), { ...ask, own: ask })).toEqual(ask);
});

test('a model that takes one image refuses several', () => {
  expect(withPictures(model('seed_audio'), ['a'], 'image')).toEqual({ image: 'a' });
  expect(() => withPictures(model('seed_audio'), ['a', 'b'], 'image')).toThrow('seed_audio takes one image.');
});

test('a video gets the requested duration, else the next longer one, else the longest', () => {
  const seconds = (id: string, seconds: number) => toConfig(model(id), { seconds }).duration;
  expect([seconds('lemon', 8), seconds('lemon', 0.5), seconds('lemon', 300)]).toEqual(['8', '2', '30']);
  expect(seconds('cherry', 12)).toBe('15');
  // a model with a single duration has no such field
  expect(toConfig(model('z_image'), { seconds: 8 })).toEqual({});
});
