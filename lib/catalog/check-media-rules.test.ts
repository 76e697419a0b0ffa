import { join } from 'node:path';
import { expect, test } from 'vitest';
import { getArchitecture, loadCatalog } from '#lib/catalog/catalog';
import { checkMediaRules, checkSourceSeconds } from '#lib/catalog/check-media-rules';
import type { Architecture } from '#lib/catalog/catalog-file';
import type { MediaFacts } from '#lib/catalog/check-media-rules';
import { resolveConfig } from '#lib/catalog/resolve-config';

const catalog = loadCatalog(join(import.meta.dirname, '../../catalog'));
const none: MediaFacts = { images: 0, audioReferences: 0, firstFrame: false, lastFrame: false, sourceVideos: 0 };
const paths = (id: string, body: Record<string, unknown>, facts: Partial<MediaFacts>) => {
  const architecture = getArchitecture(id, catalog);
  const { config } = resolveConfig(architecture, { prompt: 'x', ...body });
  return checkMediaRules(architecture, config, { ...none, ...facts }).map(({ path }) => path);
};
const lengths = (id: string, body: Record<string, unknown>, seconds: (number | null)[]) => {
  const architecture = getArchitecture(id, catalog);
  const { config } = resolveConfig(architecture, { prompt: 'x', ...body });
  return checkSourceSeconds(architecture, config, seconds).map(({ path }) => path);
};

test('a request without media breaks no rule', () => {
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
])('%s %j with %j has issues at %j', (id, body, facts, expected) => {
  expect(paths(id, body, facts)).toEqual(expected);
});

test('media that exclude each other are refused in one request', () => {
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
])('%s %j with a source video of %d s has issues at %j', (id, body, seconds, expected) => {
  expect(lengths(id, body, [seconds])).toEqual(expected);
});

test('the length of a source video is rounded in the message', () => {
  expect(checkSourceSeconds(getArchitecture('plum', catalog), { model_id: 'plum-max' }, [16.333_333])).toMatchObject([
    { message: expect.stringMatching(/this one is 16\.33 s\.$/) },
  ]);
});

test('missing required media are reported with the field or mention that can provide them', () => {
  const architecture: Architecture = {
    ...getArchitecture('cherry', catalog),
    needs: { reference: 2, source_video: 1, audio_reference: 1 },
  };
  const asked = (facts: Partial<MediaFacts>) =>
    checkMediaRules(architecture, { model_id: 'cherry' }, { ...none, ...facts });
  expect(asked({})).toEqual([
    {
      path: '/image',
      message: 'Cherry needs 2 reference images: send an https URL, an upload URL or a data URL in image.',
    },
    {
      path: '/videos',
      message: 'Cherry needs a source video: send an https URL, an upload URL or a data URL in videos.',
    },
    {
      path: '/prompt',
      message: 'Cherry needs an audio reference: mention a saved audio reference in the prompt, as @handle.',
    },
  ]);
  expect(asked({ images: 2, sourceVideos: 1 })).toMatchObject([{ path: '/prompt' }]);
  expect(asked({ images: 1, sourceVideos: 1, audioReferences: 1 })).toMatchObject([{ path: '/image' }]);
});

test('a source video lowers the limit for images, and at most one is accepted', () => {
  expect(paths('plum', {}, { images: 2, sourceVideos: 1 })).toEqual([]);
  expect(paths('plum', {}, { images: 9 })).toEqual([]);
  const [room, none] = [1, 0].map(sourceVideos => messages('plum', {}, { images: 10, sourceVideos })[0]);
  expect(room).toMatchObject({
    path: '/additional_images',
    message: expect.stringMatching(/^With a source video plum-max takes at most 2 reference images, /),
  });
  expect(none?.message).toMatch(/^plum-max takes at most 9 /);
  expect(paths('lemon', {}, { sourceVideos: 2 })).toEqual(['/videos']);
  expect(paths('berry', {}, { sourceVideos: 1 })).toEqual(['/model_id']);
  expect(paths('berry', { model_id: 'berry' }, { sourceVideos: 1 })).toEqual([]);
});

test('a source video of unknown length is not refused, and others keep their index', () => {
  expect(lengths('lemon', { duration: '30' }, [null])).toEqual([]);
  expect(lengths('lemon', {}, [null, 20])).toEqual(['/videos/1']);
});

const messages = (id: string, body: Record<string, unknown>, facts: Partial<MediaFacts>) => {
  const architecture = getArchitecture(id, catalog);
  const { config } = resolveConfig(architecture, { prompt: 'x', ...body });
  return checkMediaRules(architecture, config, { ...none, ...facts });
};

test('an issue with mentioned media is reported at the prompt with their handles', () => {
  const handles = { images: ['ana', 'ana'], sounds: ['tune'], voices: [] };
  expect(messages('lemon', {}, { firstFrame: true, images: 2, audioReferences: 1, handles })).toEqual([
    {
      path: '/prompt',
      message:
        'Lemon takes either a first frame and a last frame, or reference images, never both in one request; the prompt mentions @ana.',
    },
  ]);
  expect(messages('lemon', {}, { firstFrame: true, images: 3, handles })).toMatchObject([{ path: '/image' }]);
  const sounds = { images: [], sounds: ['tune'], voices: [] };
  expect(messages('seed_audio', {}, { images: 1, audioReferences: 1, handles: sounds })).toEqual([
    {
      path: '/prompt',
      message:
        'Seed Audio takes either reference images, or mentioned audio clips and voices, never both in one request; the prompt mentions @tune.',
    },
  ]);
  const ten = { images: Array.from({ length: 10 }, (_, index) => `a${index}`), sounds: [], voices: [] };
  expect(messages('lemon', {}, { images: 10, handles: ten })).toMatchObject([
    { path: '/prompt', message: expect.stringContaining('@a0, @a1') },
  ]);
});

test('the message for too many voices names the switch for voices if the architecture has one', () => {
  const sounds = ['ana', 'bo', 'cy', 'dan'];
  const facts = { audioReferences: 4, handles: { images: [], sounds, voices: sounds } };
  expect(messages('cherry', {}, facts)).toEqual([
    {
      path: '/prompt',
      message:
        'cherry-2-pro takes at most 3 mentioned audio clips; this request has 4, with @ana, @bo, @cy, @dan; to leave the voices of characters out, set use_character_voices to false.',
    },
  ]);
  const [{ message } = expect.fail()] = messages('seed_audio', {}, facts);
  expect(message).not.toContain('set ');
  const [clips = expect.fail()] = messages('cherry', {}, { ...facts, handles: { images: [], sounds, voices: [] } });
  expect(clips.message).not.toContain('set ');
});
