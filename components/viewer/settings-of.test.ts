import { expect, test } from 'vitest';
import { settingsOf } from '#components/viewer/settings-of';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

const entry = {
  input_schema: { properties: { prompt: {}, num_steps: { title: 'Steps' }, prompt_weighting: {}, aspect_ratio: {} } },
} as unknown as CatalogEntry;

test('settings have their titles and the order of the form, and those shown elsewhere are left out', () => {
  const config = { prompt: 'figs', seed: 1, aspect_ratio: '1:1', prompt_weighting: true, num_steps: 9, lyrics: '' };
  expect(settingsOf({ config }, entry)).toEqual([
    ['Steps', 9],
    ['Prompt weighting', 'Yes'],
    ['Aspect ratio', '1:1'],
  ]);
  expect(settingsOf({ config: { num_steps: 9 } }, undefined)).toEqual([['Num steps', 9]]);
});
