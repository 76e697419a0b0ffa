import { expect, test } from 'vitest';
import { tagsOf } from '#lib/media/media-tags';

test('a file says how it was made, and not where that is which it was made from', () => {
  const made = { architecture: 'guava', modelId: 'guava', prompt: 'dusk', seed: 7 };
  const address = 'https://pomona.example/media/input/secret.png';
  const config = { prompt: 'dusk', seed: 7, steps: 4, tags: ['a'], image: address, additional_images: [address] };
  expect(tagsOf({ ...made, config })).toEqual({ ...made, settings: { steps: 4, tags: ['a'] } });
});
