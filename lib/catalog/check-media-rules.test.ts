import { join } from 'node:path';
import { expect, test } from 'vitest';
import { getArchitecture, loadCatalog } from '#lib/catalog/catalog';
import { checkMediaRules } from '#lib/catalog/check-media-rules';
import type { MediaFacts } from '#lib/catalog/check-media-rules';
import { resolveConfig } from '#lib/catalog/resolve-config';

const catalog = loadCatalog(join(import.meta.dirname, '../../catalog'));
const none: MediaFacts = { images: 0, audioReferences: 0, firstFrame: false, lastFrame: false, sourceVideos: [] };
const paths = (id: string, body: Record<string, unknown>, facts: Partial<MediaFacts>) => {
  const architecture = getArchitecture(id, catalog);
  const { config } = resolveConfig(architecture, { prompt: 'x', ...body });
  return checkMediaRules(architecture, config, { ...none, ...facts }).map(({ path }) => path);
};
const video = (duration: number) => ({ duration, width: 1280, height: 720 });

test('nothing given breaks no rule', () => {
  for (const { id } of catalog.list()) expect(paths(id, {}, {})).toEqual([]);
});

test.each([
  ['cherry', { model_id: 'cherry' }, { images: 8 }, []],
  ['cherry', { model_id: 'cherry' }, { images: 9 }, ['/additional_images']],
  ['cherry', {}, { images: 50 }, []],
  ['anima', {}, { images: 1 }, ['/prompt']],
  ['seed_audio', {}, { images: 2 }, ['/image']],
  ['blueberry', {}, { audioReferences: 1 }, []],
  ['blueberry', {}, { audioReferences: 2 }, ['/prompt']],
])('%s %j with %j: %j', (id, body, facts, expected) => {
  expect(paths(id, body, facts)).toEqual(expected);
});

test('media that exclude each other', () => {
  expect(paths('lemon', {}, { firstFrame: true, lastFrame: true })).toEqual([]);
  expect(paths('lemon', {}, { lastFrame: true, images: 1 })).toEqual(['/image']);
  expect(paths('melon', {}, { firstFrame: true, images: 1 })).toEqual([]);
  expect(paths('seed_audio', {}, { images: 1, audioReferences: 1 })).toEqual(['/prompt']);
  expect(paths('seed_audio', {}, { audioReferences: 3 })).toEqual([]);
});

test.each([
  ['cherry', {}, 4, []],
  ['cherry', {}, 30.05, []],
  ['cherry', {}, 3, ['/videos/0']],
  ['cherry', { model_id: 'cherry-mini' }, 3, []],
  ['cherry', { model_id: 'cherry-mini' }, 16, ['/videos/0']],
  ['plum', {}, 1, ['/videos/0']],
  ['lemon', { duration: '15' }, 15.04, []],
  ['lemon', { duration: '16' }, 15, ['/duration']],
  ['berry', { model_id: 'berry' }, 60, []],
  ['berry', { model_id: 'berry' }, 2, ['/video']],
  ['berry', {}, 10, ['/model_id']],
])('%s %j with a source video of %d s: %j', (id, body, seconds, expected) => {
  expect(paths(id, body, { sourceVideos: [video(seconds)] })).toEqual(expected);
});

test('a source video leaves room for fewer images, and is the only one', () => {
  expect(paths('plum', {}, { images: 2, sourceVideos: [video(5)] })).toEqual([]);
  expect(paths('plum', {}, { images: 3, sourceVideos: [video(5)] })).toEqual(['/additional_images']);
  expect(paths('lemon', {}, { sourceVideos: [video(5), video(5)] })).toEqual(['/videos']);
});
