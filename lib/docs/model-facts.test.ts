import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadCatalog } from '#lib/catalog/catalog';
import { toCatalogEntry } from '#lib/catalog/to-entry';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import { rulesOf } from '#lib/docs/model-facts';

const entries = loadCatalog(join(import.meta.dirname, '../../catalog'))
  .all()
  .map(architecture => toCatalogEntry(architecture, ''));
const entryOf = (id: string) => entries.find(entry => entry.id === id)!;

test.each([
  ['cherry', 'A source video lasts 2 to 15 seconds, with cherry-2-pro 4 to 30 seconds.'],
  ['cherry', 'The voices of mentioned characters are sent too, unless use_character_voices is false.'],
  ['cherry', 'cherry-mini: up to 8 reference images.'],
  ['berry', 'A source video needs model_id berry.'],
  ['berry', 'The output has the length and shape of the source video, whatever duration and aspect ratio say.'],
  ['berry', 'The price counts the seconds of the source video instead of duration.'],
  ['plum', 'With a source video, up to 2 reference images.'],
  ['lemon', 'Lemon takes either a first frame and a last frame, or reference images, never both in one request.'],
  ['lemon', 'The source video and duration together last at most 30 seconds.'],
  ['lemon', 'The price counts the seconds of the source video in addition to duration.'],
  ['seed_audio', 'A prompt may mention characters that have a voice; only the voice is sent.'],
  [
    'seed_audio',
    'Seed Audio takes either reference images, or mentioned audio clips and voices, never both in one request.',
  ],
  ['seed_audio', 'Up to 3 audio clips, voices counted.'],
  ['seed_audio', 'Up to 1 reference image.'],
  ['blueberry', 'Up to 1 audio clip.'],
])('the rules of %s say: %s', (id, rule) => {
  expect(rulesOf(entryOf(id))).toContain(rule);
});

test.each(entries)('the rules of $id say nothing of what it does not take, and name no roles', entry => {
  const text = rulesOf(entry).join('\n');
  expect(text).not.toMatch(/first_frame|last_frame|audio_reference|source_video/);
  expect(text).not.toMatch(/\b1 [a-z ]+s\b/);
  expect(/source video/i.test(text)).toBe(entry.source_video !== null);
  expect(/voice/.test(text)).toBe(entry.mentions.character_voices);
  expect(/unless/.test(text)).toBe(entry.character_voices_switch !== null);
});

test('required media and rules of single variants are said in words', () => {
  const entry: CatalogEntry = {
    ...entryOf('lemon'),
    options: { model_id: ['a', 'b'] },
    mentions: { ...entryOf('lemon').mentions, characters: ['a'] },
    needs: { audio_reference: 1, reference: 2 },
    price: { ...entryOf('lemon').price, previews: { model_ids: ['b'], gems: 1 } },
  };
  expect(rulesOf(entry)).toEqual(
    expect.arrayContaining([
      'A prompt may mention characters (a).',
      'Every request brings an audio reference.',
      'Every request brings 2 reference images.',
      'The price counts the seconds of the source video in addition to duration (a).',
    ]),
  );
});
