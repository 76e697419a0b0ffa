import { expect, test } from 'vitest';
import { fileCatalog } from '#lib/catalog/catalog';
import { nearestTo } from '#lib/catalog/nearest';

const all = fileCatalog().all();
const nearest = (id: string) =>
  nearestTo(
    all.find(one => one.id === id)!,
    all,
  )?.id;

test('the nearest makes the same from the same, for a like price', () => {
  expect(nearest('z_image')).toBe('anima');
  const film = all.find(({ id }) => id === nearest('ltx_video'));
  expect(film).toMatchObject({ type: 'video', roles: { first_frame: 'first_image' } });
});

test('what nothing else makes has none', () => {
  const sounds = all.filter(({ type }) => type === 'audio');
  expect(
    nearestTo(
      sounds[0]!,
      all.filter(one => one !== sounds[0]! && one.type !== 'audio'),
    ),
  ).toBeUndefined();
});
