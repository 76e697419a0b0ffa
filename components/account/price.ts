import type { GemsOverviewWire } from '#lib/contract/gem-schemas';
import { priceOfGems } from '#lib/contract/price-of-gems';

// the decimals that Stripe uses; `Intl` differs for currencies without small coins, such as the forint
const WITHOUT_DECIMALS = 'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' ');
const WITH_THREE = 'bhd jod kwd omr tnd'.split(' ');

const decimalsOf = (currency: string): number =>
  WITHOUT_DECIMALS.includes(currency) ? 0 : WITH_THREE.includes(currency) ? 3 : 2;

/** Formats an amount that is given in the smallest unit of its currency. */
export function moneyText(amount: number, currency: string): string {
  const decimals = decimalsOf(currency);
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return new Intl.NumberFormat('en', { style: 'currency', currency, ...digits }).format(amount / 10 ** decimals);
}

/** Formats the price of a number of gems; null where gems are not sold, or the number is not a safe integer. */
export function priceText(gems: number, { price_per_gem, currency }: GemsOverviewWire['payment']): string | null {
  if (price_per_gem === null || currency === null || !Number.isSafeInteger(gems)) return null;
  return moneyText(priceOfGems(gems, price_per_gem), currency);
}
