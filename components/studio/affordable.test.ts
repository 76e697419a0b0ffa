import { expect, test } from 'vitest';
import { affordable } from '#components/studio/affordable';
import { baseConfig } from '#components/studio/config';
import { catalog } from '#lib/catalog/catalog';
import { toCatalogEntry } from '#lib/catalog/to-entry';

test('a cheaper model is offered at the price of one, and then one is made', () => {
  const entry = toCatalogEntry(catalog().find('blueberry')!, 'http://localhost');
  const cheap = { ...entry, id: 'cheap', name: 'Cheap', gems: 5 };
  let count = 4;
  const offer = affordable({
    entries: [entry, cheap],
    entry,
    config: baseConfig(entry),
    price: entry.gems,
    balance: 5,
    onCount: next => (count = next),
    setField: () => {},
  });
  expect(offer).toMatchObject({ name: 'Cheap', gems: 5, take: '/create/cheap' });
  offer?.before?.();
  expect(count).toBe(1);
});
