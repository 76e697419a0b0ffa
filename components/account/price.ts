import type { GemsOverviewWire } from '#lib/contract/account-schemas';
import { priceOfGems } from '#lib/contract/price-of-gems';

/** An amount in the smallest unit of its currency, in words. */
export function moneyText(amount: number, currency: string): string {
  const money = new Intl.NumberFormat('en', { style: 'currency', currency });
  return money.format(amount / 10 ** (money.resolvedOptions().maximumFractionDigits ?? 2));
}

/** What so many gems cost, where they cost money. */
export function priceText(gems: number, { price_per_gem, currency }: GemsOverviewWire['payment']): string | null {
  if (price_per_gem === null || currency === null || !Number.isSafeInteger(gems)) return null;
  return moneyText(priceOfGems(gems, price_per_gem), currency);
}
