import { expect, test } from 'vitest';
import { requireCatalog } from '#lib/catalog/require-catalog';

process.env.CATALOG_DIR = '/nowhere';

test('a catalog that is not where it is said to be is told at start', () => {
  expect(requireCatalog).toThrow(
    'CATALOG_DIR must be a folder with architectures and policy.json in it; it is /nowhere.',
  );
});
