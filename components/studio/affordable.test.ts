import { expect, test } from 'vitest';
import { affordable } from '#components/studio/affordable';
import { baseConfig } from '#components/studio/config';
import { changeDraft } from '#components/studio/drafts';
import { catalog } from '#lib/catalog/catalog';
import { priceOf } from '#lib/catalog/price';
import { toCatalogEntry } from '#lib/catalog/to-entry';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

const entry = toCatalogEntry(catalog().find('blueberry')!, 'http://localhost');
let count = 4;
let chosen: unknown;
const offerOf = (
  other: Partial<CatalogEntry> & { id: string },
  balance: number,
  { config = baseConfig(entry), price = entry.gems } = {},
) =>
  affordable({
    entries: [entry, { ...entry, ...other }],
    entry,
    config,
    price,
    balance,
    onCount: next => (count = next),
    setField: (...field) => (chosen = field),
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

test('a cheaper setting is offered before a cheaper model, and choosing it sets the count to one', () => {
  const config = { ...baseConfig(entry), resolution: '1080p' };
  const cheap = { id: 'cheap', name: 'Cheap', price: { ...entry.price, gems: 5 } };
  count = 4;
  const offer = offerOf(cheap, entry.gems, { config, price: priceOf(entry, config) });
  expect(offer).toMatchObject({ name: 'Resolution 720p', gems: entry.gems });
  (offer!.take as () => void)();
  expect([count, chosen]).toEqual([1, ['resolution', '720p']]);
  // media may add to the price whatever the settings
  const withMedia = offerOf(cheap, entry.gems, { config, price: priceOf(entry, config) + 1 });
  expect(withMedia).toMatchObject({ name: 'Cheap' });
});

test('a model that makes another media type is not offered', () => {
  expect(offerOf({ id: 'song', type: 'audio', price: { ...entry.price, gems: 5 } }, 5)).toBeUndefined();
});
