import { expect, test } from 'vitest';
import { mediaUse } from '#components/studio/media-use';
import type { Mentionable } from '#components/studio/mentionables';
import { catalog } from '#lib/catalog/catalog';
import { toCatalogEntry } from '#lib/catalog/to-entry';

const entryOf = (id: string) => toCatalogEntry(catalog().find(id)!, 'http://localhost');
const ana: Mentionable = {
  handle: 'ana',
  name: 'Ana',
  kind: 'character',
  image: { url: '/ana.png' },
  more: 4,
  hasVoice: true,
  isTaken: true,
};
const use = (id: string, config: object) => mediaUse(entryOf(id), { prompt: '@ana walks', ...config }, [ana]);

test('images of fields and mentions count together; extra images of a character only use what is left', () => {
  expect(use('mango', {}).images).toEqual({ used: 5, most: 10 });
  expect(use('mango', { image: 'a', additional_images: ['b', 'c'] }).images).toEqual({ used: 8, most: 10 });
  expect(use('melon', { image: 'a' }).images).toEqual({ used: 4, most: 4 });
});

test('a source video lowers the image limit to what the server accepts beside it', () => {
  expect(use('plum', {}).images).toEqual({ used: 5, most: 9 });
  expect(use('plum', { videos: [] }).images.most).toBe(9);
  expect(use('plum', { videos: ['v'] }).images).toEqual({ used: 2, most: 2 });
  expect(use('plum', { videos: ['v'], image: 'a', additional_images: ['b'] }).images).toEqual({ used: 3, most: 2 });
});

test('voices of mentioned characters are counted only if they are sent', () => {
  const { character_voices_switch, mentions } = entryOf('plum');
  expect(use('plum', {}).voices).toEqual({ used: 1, most: mentions.max_audio_references });
  expect(use('plum', { [character_voices_switch!]: false }).voices.used).toBe(0);
});
