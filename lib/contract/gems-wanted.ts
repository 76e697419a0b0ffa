/**
 * Gems that auto top-up buys before a submit at this price: none, or as many times the account's portion as the price needs. The one
 * rule of server and browser.
 */
export function gemsWanted(
  balance: number,
  { threshold, gems }: { threshold: number; gems: number },
  price: number,
): number {
  if (balance - price >= threshold) return 0;
  return gems * Math.max(1, Math.ceil((price - balance) / gems));
}
