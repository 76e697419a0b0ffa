import { expect, test } from 'vitest';
import { requireCatalog } from '#lib/catalog/require-catalog';

process.env.CATALOG_DIR = '/nowhere';

test('a missing catalog folder causes an error that names CATALOG_DIR', () => {
  expect(requireCatalog).toThrow(
    'CATALOG_DIR must be a folder with architectures and policy.json in it; it is /nowhere.',
  );
});
