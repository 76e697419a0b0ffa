import { expect, test } from 'vitest';
import { carryInto } from '#components/carry/carry-into';
import { baseConfig, type Config } from '#components/studio/config';
import { catalog } from '#lib/catalog/catalog';
import { toCatalogEntry } from '#lib/catalog/to-entry';

function carry(id: string, duration: number | undefined, changed: Config = {}, media: 'image' | 'video' = 'video') {
  const entry = toCatalogEntry(catalog().find(id)!, 'http://localhost');
  const field = media === 'image' ? 'image' : entry.video_inputs!.field;
  const draft = { ...baseConfig(entry), ...changed };
  return carryInto(entry, draft, { field, media }, [{ media, url: 'a', name: 'a film', duration }], 'use');
}

test('the price counts the seconds of a carried source video, for the variant that takes it', () => {
  expect(carry('lemon', 5)).toMatchObject({ gems: 653, isFit: true });
  expect(carry('berry', 5)).toMatchObject({ gems: 454, isFit: true, config: { model_id: 'berry' } });
  expect(carry('cherry', 5)).toMatchObject({ gems: 618, isFit: true });
});

test('the price is unknown where it depends on a source video of unknown length', () => {
  expect(carry('lemon', undefined)).toMatchObject({ gems: null, isFit: true });
  expect(carry('lemon', undefined, { videos: ['b'] }, 'image').gems).toBeNull();
  expect(carry('lemon', undefined, {}, 'image').gems).toBe(245);
  expect(carry('cherry', undefined).gems).toBe(618);
});

test.each([
  ['berry', 2.8, {}, false],
  ['berry', 2.95, {}, true],
  ['berry', 61, {}, false],
  ['cherry', 3, {}, false],
  ['cherry', 3, { model_id: 'cherry-pro' }, true],
  ['cherry', 20, { model_id: 'cherry-pro' }, false],
  ['lemon', 15.04, {}, true],
  ['lemon', 16, {}, false],
])('%s takes a source video of %d s with %j: %s', (id, seconds, changed, isFit) => {
  expect(carry(id, seconds, changed).isFit).toBe(isFit);
});

test('a duration that is too long together with the source video becomes the longest that fits', () => {
  expect(carry('lemon', 5, { duration: '30' })).toMatchObject({ config: { duration: '25' }, isFit: true });
  expect(carry('lemon', 5, { duration: '25' }).config.duration).toBe('25');
});
