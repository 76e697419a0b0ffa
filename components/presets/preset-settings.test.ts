import { expect, test } from 'vitest';
import { settingsToSave, withPreset, wordsOf } from '#components/presets/preset-settings';
import { baseConfig } from '#components/studio/config';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

const entry = {
  id: 'z_image',
  base_config: { model_id: '1', aspect_ratio: '1:1', sound: true },
  options_by_model: {},
  input_schema: { properties: { image: { 'x-media': 'image' }, aspect_ratio: {}, sound: {}, seed: {}, prompt: {} } },
} as unknown as CatalogEntry;

test('a saved preset contains changed settings without media, and the prompt only on request', () => {
  const config = { ...baseConfig(entry), prompt: 'a fig', image: 'https://x.example/a.png', sound: false, seed: 7 };
  expect(settingsToSave(entry, config, false)).toEqual({ sound: false, seed: 7 });
  expect(settingsToSave(entry, config, true)).toEqual({ prompt: 'a fig', sound: false, seed: 7 });
});

test('applying a preset replaces settings, but keeps media, and the prompt if the preset has none', () => {
  const now = { ...baseConfig(entry), prompt: 'a fig', image: 'https://x.example/a.png', sound: false };
  expect(withPreset(entry, now, { seed: 7 })).toEqual({ prompt: 'a fig', image: 'https://x.example/a.png', seed: 7 });
  expect(withPreset(entry, now, { prompt: 'a plum' })).toMatchObject({ prompt: 'a plum' });
});

test('settings are summarised in one line', () => {
  expect(wordsOf({ aspect_ratio: '16:9', sound: false, magic: true, seed: 7 })).toBe(
    '16:9 · no sound · magic · seed 7',
  );
});
