import { expect, test } from 'vitest';
import { putAll } from '#components/studio/slots';
import { catalog } from '#lib/catalog/catalog';
import { toCatalogEntry } from '#lib/catalog/to-entry';

const put = (id: string, config: object, field: string, urls: string[]) =>
  putAll(toCatalogEntry(catalog().find(id)!, 'http://localhost'), { ...config }, field, urls);

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
