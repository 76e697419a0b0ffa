import { expect, test } from 'vitest';
import * as architectures from '#lib/catalog/file-shape';
import * as recipes from '#lib/catalog/recipe-file';
import { operations } from '#lib/contract/operations';

/** Returns the path segments that follow `start` in operations, except parameters. */
function namesUnder(start: string): string[] {
  const rest = Object.values(operations).flatMap(({ path }) =>
    path.startsWith(start) ? path.slice(start.length) : [],
  );
  const names = rest.map(path => path.split('/')[0]!).filter(name => !name.startsWith('{'));
  return [...new Set(names)].toSorted();
}

test('the reserved ids are exactly the path segments that operations use', () => {
  expect(architectures.RESERVED_IDS.toSorted()).toEqual([...namesUnder('/v1/'), 'openapi.json'].toSorted());
  expect(recipes.RESERVED_IDS.toSorted()).toEqual(namesUnder('/v1/recipes/'));
});
