/**
 * Returns the gems that auto top-up buys before a submit at this price: 0, or the multiple of `gems` that the price
 * needs. Server and browser both use this function.
 */
export function gemsWanted(
  balance: number,
  { threshold, gems }: { threshold: number; gems: number },
  price: number,
): number {
  if (balance - price >= threshold) return 0;
  return gems * Math.max(1, Math.ceil((price - balance) / gems));
}
