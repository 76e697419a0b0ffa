import { expect, test } from 'vitest';
import { priceOfGems } from '#lib/contract/price-of-gems';

test.each([
  [100, 1.1, 110],
  [50, 1.1, 55],
  [101, 1.1, 112],
  [1, 0.000001, 1],
  [1_000_000, 0.000001, 1],
  [1_000_001, 0.000001, 2],
  [999_999_999, 999_999.999999, 999_999_998_999_001],
])('%i gems at %f each cost %i, rounded up if not a whole unit', (gems, price, amount) => {
  expect(priceOfGems(gems, price)).toBe(amount);
});
