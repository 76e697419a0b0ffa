/**
 * Returns the price of `gems` at a unit price of up to six decimals, rounded up to whole units. Counts in millionths,
 * because in floating point 100 gems at 1.1 come to slightly more than 110.
 */
export const priceOfGems = (gems: number, price: number): number =>
  Number((BigInt(gems) * BigInt(Math.round(price * 1_000_000)) + 999_999n) / 1_000_000n);
