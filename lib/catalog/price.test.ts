import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultsOf, tokensOf, variantDefaults } from '#lib/catalog/architecture';
import { getArchitecture, loadCatalog } from '#lib/catalog/catalog';
import { outputOf } from '#lib/catalog/output-of';
import { priceFactor, priceOf } from '#lib/catalog/price';
import { toCatalogEntry } from '#lib/catalog/to-entry';

const catalog = loadCatalog(join(import.meta.dirname, '../../catalog'));
const priced = (id: string, config: Record<string, unknown>, facts = {}) => {
  const architecture = getArchitecture(id, catalog);
  return priceOf(architecture, { ...defaultsOf(architecture, architecture.default_model_id), ...config }, facts);
};

test('tokens and seconds scale the price', () => {
  expect(priced('kiwi', { duration: '10' })).toBe(540);
  expect(priced('kiwi', { duration: '10', resolution: '720p' })).toBe(1080);
  expect(priced('mango', { resolution: '1K', model_id: 'mango-v3-turbo' })).toBe(57);
  expect(priced('seed_audio', { duration: '120' })).toBe(456);
  expect(priced('anima', { num_inference_steps: 100 })).toBe(20);
});

test('the seconds of a source video are priced as the architecture defines', () => {
  expect(priced('lemon', { duration: '3' }, { sourceSeconds: 6 })).toBe(735);
  expect(priced('berry', { model_id: 'berry-2', duration: '15' }, { sourceSeconds: 6 })).toBe(378);
  expect(priced('cherry', {}, { sourceSeconds: 20 })).toBe(618);
});

test('a price is the nearest whole number of at least 1, even for an incomplete config', () => {
  expect(priceOf({ price: { gems: 1, factors: { size: { s: 0.01 } } } }, { size: 's' })).toBe(1);
  expect(priceOf({ price: { gems: 1, factors: { size: { s: 2.4 } } } }, { size: 's' })).toBe(2);
  expect(priceOf({ price: { gems: 1, factors: { size: { s: 2.5 } } } }, { size: 's' })).toBe(3);
  expect(
    priceOf(
      { price: { gems: 10, factors: { size: { s: 2 } }, seconds: { field: 'd', base: 5 } } },
      { size: 'toString' },
    ),
  ).toBe(10);
});

test('a token multiplies the price by its factor or its seconds, except for preview models', () => {
  const price = { gems: 10, factors: { size: { s: 1, l: 3 } }, seconds: { field: 'd', base: 5 } };
  const factor = (field: string, token: string, more = {}) =>
    priceFactor({ price: { ...price, ...more } }, { model_id: 'm' }, field, token);
  expect([factor('size', 'l'), factor('size', 'xl'), factor('d', '15'), factor('shape', '1:1')]).toEqual([3, 1, 3, 1]);
  expect(factor('size', 'l', { previews: { model_ids: ['n'], gems: 1 } })).toBe(3);
  expect(factor('size', 'l', { previews: { model_ids: ['m'], gems: 1 } })).toBe(1);
});

test.each(catalog.list().map(architecture => [architecture.id, architecture] as const))(
  '%s: defaults cost the base price, and more pixels or seconds never cost less in browser or server',
  (_, architecture) => {
    const { roles, model_ids, default_model_id, price } = architecture;
    const entry = toCatalogEntry(architecture, '');
    expect(priceOf(architecture, defaultsOf(architecture, default_model_id))).toBe(price.gems);
    const size = (config: Record<string, unknown>) => {
      const { width, height } = outputOf(architecture, config);
      return width * height;
    };
    const tokens = (name: string | undefined, modelId: string) =>
      (name && tokensOf(architecture, name, modelId)) || [undefined];
    const pick = fc.constantFrom(...model_ids).chain(modelId => {
      const resolution = fc.constantFrom(...tokens(roles.resolution, modelId));
      const duration = fc.constantFrom(...tokens(roles.duration, modelId));
      const source = fc.double({ min: 0, max: 60, noNaN: true });
      return fc.tuple(
        fc.constant(modelId),
        fc.tuple(resolution, resolution),
        fc.tuple(duration, duration),
        fc.tuple(source, source),
      );
    });
    fc.assert(
      fc.property(pick, ([modelId, resolutions, durations, sources]) => {
        const configs = [0, 1].map(index => ({
          ...variantDefaults(entry.base_config, entry.options_by_model, modelId),
          ...(roles.resolution && { [roles.resolution]: resolutions[index] }),
          ...(roles.duration && { [roles.duration]: durations[index] }),
        }));
        const [one = {}, other = {}] = configs;
        const [less, more] = [
          priceOf(entry, one, { sourceSeconds: sources[0] }),
          priceOf(architecture, other, { sourceSeconds: sources[1] }),
        ];
        expect(Number.isInteger(less) && less >= 1).toBe(true);
        const grows =
          size(one) <= size(other) &&
          Number(durations[0] ?? 0) <= Number(durations[1] ?? 0) &&
          sources[0] > 0 &&
          sources[0] <= sources[1];
        if (grows) expect(less).toBeLessThanOrEqual(more);
      }),
    );
  },
);
