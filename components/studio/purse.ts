import type { GemsOverviewWire } from '#lib/contract/gem-schemas';
import { gemsWanted } from '#lib/contract/gems-wanted';

/** Gems that a submit can spend. */
export interface Purse {
  /** Balance including what auto top-up buys for the submit. */
  balance: number;
  bought: number;
}

/**
 * Returns the purse for requests at these prices, one after another, as the server charges them. While the account owes
 * gems, auto top-up does not count: what it buys pays the debt.
 */
export function purseFor(overview: GemsOverviewWire | undefined, prices: readonly number[]): Purse | undefined {
  if (!overview) return undefined;
  const { balance, auto_top_up: auto, auto_topped_up, payment, owed } = overview;
  let bought = 0;
  if (auto && payment.automatic && owed === 0) {
    const room = Math.min(auto.monthly_limit - auto_topped_up, payment.allowance ?? Infinity);
    let left = balance;
    for (const price of prices) {
      const wanted = gemsWanted(left, auto, price);
      const more = bought + wanted <= room ? wanted : 0;
      bought += more;
      left += more - price;
    }
  }
  return { balance: balance + bought, bought };
}
