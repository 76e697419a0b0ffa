import { expect, test } from 'vitest';
import { affordable } from '#components/studio/affordable';
import { baseConfig } from '#components/studio/config';
import { changeDraft } from '#components/studio/drafts';
import { catalog } from '#lib/catalog/catalog';
import { toCatalogEntry } from '#lib/catalog/to-entry';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

const entry = toCatalogEntry(catalog().find('blueberry')!, 'http://localhost');
let count = 4;
const offerOf = (other: Partial<CatalogEntry> & { id: string }, balance: number) =>
  affordable({
    entries: [entry, { ...entry, ...other }],
    entry,
    config: baseConfig(entry),
    price: entry.gems,
    balance,
    onCount: next => (count = next),
    setField: () => {},
  });

test('a cheaper model is offered at the price of one result, and choosing it sets the count to one', () => {
  const offer = offerOf({ id: 'cheap', name: 'Cheap', price: { ...entry.price, gems: 5 } }, 5);
  expect(offer).toMatchObject({ name: 'Cheap', gems: 5, take: '/create/cheap' });
  offer?.before?.();
  expect(count).toBe(1);
});

test('a cheaper model is offered at the price of the draft in its form', () => {
  const left = { ...entry, id: 'left', name: 'Left', price: { ...entry.price, gems: 8 } };
  changeDraft(left, config => ({ ...config, resolution: '1080p' }));
  expect(offerOf(left, 13)).toBeUndefined();
  expect(offerOf(left, 14)).toMatchObject({ name: 'Left', gems: 14 });
});
