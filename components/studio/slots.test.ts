import { expect, test } from 'vitest';
import { freeSlot, putAll } from '#components/studio/slots';
import { catalog } from '#lib/catalog/catalog';
import { toCatalogEntry } from '#lib/catalog/to-entry';
import type { MediaKind } from '#lib/media-kind';

const entryOf = (id: string) => toCatalogEntry(catalog().find(id)!, 'http://localhost');

const put = (id: string, config: object, field: string, urls: string[]) =>
  putAll(entryOf(id), { ...config }, field, urls);

/** Where so many files go that are dropped at once. */
function drop(id: string, config: object, media: MediaKind, count: number): string[] {
  const awaited: string[] = [];
  for (let files = 0; files < count; files++)
    awaited.push(freeSlot(entryOf(id), { ...config }, media, awaited)?.field ?? 'nowhere');
  return awaited;
}

test('several references fill the first place, then the list, as far as the model takes any', () => {
  expect(put('melon', {}, 'image', ['a', 'b', 'c', 'd', 'e'])).toEqual({
    config: { image: 'a', additional_images: ['b', 'c', 'd'] },
    taken: ['a', 'b', 'c', 'd'],
  });
  const images = Array.from({ length: 20 }, (_, index) => String(index));
  expect(put('cherry', { model_id: 'cherry' }, 'image', images).taken).toHaveLength(8);
  expect(put('plum', { videos: ['v'] }, 'image', images).taken).toHaveLength(2);
  expect(put('melon', { image: 'a', additional_images: ['b'] }, 'additional_images', images).taken).toHaveLength(2);
});

test('a place for one takes the first of several, instead of what it holds', () => {
  expect(put('melon', { first_image: 'a' }, 'first_image', ['b', 'c'])).toEqual({
    config: { first_image: 'b' },
    taken: ['b'],
  });
  expect(put('plum', { videos: ['v'] }, 'videos', ['w'])).toEqual({ config: { videos: ['w'] }, taken: ['w'] });
});

test('files dropped beside the slots go into one after the other while those before them are on their way', () => {
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

test('what is put beside files on their way takes none of their places', () => {
  const beside = (awaited: string[]) =>
    putAll(entryOf('melon'), { image: 'a', additional_images: ['b'] }, 'image', ['c', 'd'], awaited).taken;
  expect(beside([])).toEqual(['c', 'd']);
  expect(beside(['image'])).toEqual(['c']);
  expect(beside(['image', 'image'])).toEqual([]);
});

test('one file goes instead of the last reference where every slot is full', () => {
  expect(drop('mango', put('mango', {}, 'image', [...'abcdefghij']).config, 'image', 1)).toEqual(['image']);
});
