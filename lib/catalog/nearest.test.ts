import { expect, test } from 'vitest';
import { fileCatalog } from '#lib/catalog/catalog';
import type { Architecture } from '#lib/catalog/catalog-file';
import { nearestTo } from '#lib/catalog/nearest';

const all = fileCatalog().all();
const takes = ({ roles }: Architecture) =>
  (['first_frame', 'last_frame', 'reference', 'source_video'] as const).filter(role => roles[role]);

test('the nearest architecture has the same type and media inputs if any other does', () => {
  for (const one of all) {
    const alike = all.filter(
      other => other !== one && other.type === one.type && String(takes(other)) === String(takes(one)),
    );
    if (alike.length > 0) expect(alike, one.id).toContain(nearestTo(one, all));
  }
});

test('among architectures with the same inputs, the nearest has the most similar price', () => {
  const costing = (gems: number) => ({ ...all[0]!, id: `of ${gems}`, price: { ...all[0]!.price, gems } });
  expect(nearestTo(costing(60), [500, 40, 5].map(costing))?.id).toBe('of 40');
});

test('an architecture without others of its type has no nearest one', () => {
  const sound = all.find(({ type }) => type === 'audio')!;
  expect(
    nearestTo(
      sound,
      all.filter(({ type }) => type !== 'audio'),
    ),
  ).toBeUndefined();
});
