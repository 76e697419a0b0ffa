import { expect, test } from 'vitest';
import { tagsOf } from '#lib/media/media-tags';

test('the tags of a file contain its settings, but not the URLs of its inputs', () => {
  const made = { architecture: 'guava', modelId: 'guava', prompt: 'dusk', seed: 7 };
  const address = 'https://pomona.example/media/input/secret.png';
  const config = { prompt: 'dusk', seed: 7, steps: 4, tags: ['a'], image: address, additional_images: [address] };
  expect(tagsOf({ ...made, config })).toEqual({ ...made, settings: { steps: 4, tags: ['a'] } });
});
