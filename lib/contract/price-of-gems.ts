/**
 * What so many gems cost at a price of up to six decimals, rounded up to whole units. Counted in millionths: as fractions 100 gems
 * at 1.1 come to a little more than 110.
 */
export const priceOfGems = (gems: number, price: number): number =>
  Number((BigInt(gems) * BigInt(Math.round(price * 1_000_000)) + 999_999n) / 1_000_000n);
