import { expect, test } from 'vitest';
import { fewerPlaces } from '#components/matrix/affordable-places';

const axis = (field: string, count: number) => ({
  field,
  title: field,
  values: Array.from({ length: count }, (_, n) => ({ label: `${field} ${n}`, value: n })),
});
const sides = { across: axis('seed', 3), down: axis('guidance', 2) };

function fewer(prices: number[], balance: number) {
  const { sides: kept, count, gems } = fewerPlaces(sides, prices, balance) ?? {};
  return kept && { count, gems, size: [kept.across.values.length, kept.down.values.length] };
}

test('a matrix is reduced to as many cells as the balance affords, counted from the first', () => {
  expect(fewer([10, 10, 10, 10, 10, 10], 59)).toEqual({ count: 4, gems: 40, size: [2, 2] });
  expect(fewer([10, 10, 10, 10, 10, 10], 39)).toEqual({ count: 3, gems: 30, size: [3, 1] });
  // an expensive column is dropped first
  expect(fewer([10, 10, 90, 10, 10, 90], 100)).toEqual({ count: 4, gems: 40, size: [2, 2] });
  expect(fewer([10, 90, 90, 10, 90, 90], 50)).toEqual({ count: 2, gems: 20, size: [1, 2] });
});

test('a single affordable cell is not offered as a matrix', () => {
  expect(fewer([10, 10, 10, 10, 10, 10], 19)).toBeUndefined();
});
