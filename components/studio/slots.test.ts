import { expect, test } from 'vitest';
import { freeSlot, putAll } from '#components/studio/slots';
import { catalog } from '#lib/catalog/catalog';
import { toCatalogEntry } from '#lib/catalog/to-entry';
import type { MediaKind } from '#lib/media-kind';

const entryOf = (id: string) => toCatalogEntry(catalog().find(id)!, 'http://localhost');

const put = (id: string, config: object, field: string, urls: string[]) =>
  putAll(entryOf(id), { ...config }, field, urls);

/** Returns the fields to which `count` files go that are dropped together. */
function drop(id: string, config: object, media: MediaKind, count: number): string[] {
  const awaited: string[] = [];
  for (let files = 0; files < count; files++)
    awaited.push(freeSlot(entryOf(id), { ...config }, media, awaited)?.field ?? 'nowhere');
  return awaited;
}

test('several references fill the first field, then the list, up to the limit of the model', () => {
  expect(put('melon', {}, 'image', ['a', 'b', 'c', 'd', 'e'])).toEqual({
    config: { image: 'a', additional_images: ['b', 'c', 'd'] },
    taken: ['a', 'b', 'c', 'd'],
  });
  const images = Array.from({ length: 20 }, (_, index) => String(index));
  expect(put('cherry', { model_id: 'cherry' }, 'image', images).taken).toHaveLength(8);
  expect(put('plum', { videos: ['v'] }, 'image', images).taken).toHaveLength(2);
  expect(put('melon', { image: 'a', additional_images: ['b'] }, 'additional_images', images).taken).toHaveLength(2);
});

test('a field for one file takes the first of several, and replaces the file it has', () => {
  expect(put('melon', { first_image: 'a' }, 'first_image', ['b', 'c'])).toEqual({
    config: { first_image: 'b' },
    taken: ['b'],
  });
  expect(put('plum', { videos: ['v'] }, 'videos', ['w'])).toEqual({ config: { videos: ['w'] }, taken: ['w'] });
});

test('files dropped beside the slots fill one slot after another while earlier ones are uploading', () => {
  expect(drop('melon', {}, 'image', 7)).toEqual([
    'first_image',
    'last_image',
    'image',
    'image',
    'image',
    'image',
    'nowhere',
  ]);
  expect(drop('melon', { first_image: 'a', image: 'b' }, 'image', 2)).toEqual(['last_image', 'image']);
  expect(drop('kiwi', {}, 'image', 2)).toEqual(['first_image', 'nowhere']);
  expect(drop('plum', {}, 'video', 2)).toEqual(['videos', 'nowhere']);
});

test('references added during uploads do not use the places reserved for the uploads', () => {
  const beside = (awaited: string[]) =>
    putAll(entryOf('melon'), { image: 'a', additional_images: ['b'] }, 'image', ['c', 'd'], awaited).taken;
  expect(beside([])).toEqual(['c', 'd']);
  expect(beside(['image'])).toEqual(['c']);
  expect(beside(['image', 'image'])).toEqual([]);
});

test('when every slot is full, a dropped file goes to the references', () => {
  expect(drop('mango', put('mango', {}, 'image', [...'abcdefghij']).config, 'image', 1)).toEqual(['image']);
});

test('a source video selects the first variant that takes one, with settings that this variant accepts', () => {
  const { config } = put('berry', { model_id: 'berry-2', resolution: '480p', duration: '9' }, 'video', ['v']);
  expect(config).toMatchObject({ model_id: 'berry', resolution: '720p', duration: '9', video: 'v' });
  expect(put('berry', {}, 'image', ['a']).config).toEqual({ image: 'a' });
  expect(put('cherry', { model_id: 'cherry-pro' }, 'videos', ['v']).config).toEqual({
    model_id: 'cherry-pro',
    videos: ['v'],
  });
});
