import type { PriceRule } from '#lib/contract/catalog-entry';

interface PriceFacts {
  /** Total length of the source videos, in seconds. */
  sourceSeconds?: number;
}

/**
 * Returns the price in gems: a whole number of at least 1. Takes an `Architecture` or a wire entry, and a resolved
 * config; an unset field counts as its default.
 */
export function priceOf(
  { price }: { price: PriceRule },
  config: Readonly<Record<string, unknown>>,
  facts: PriceFacts = {},
): number {
  const { previews } = price;
  if (previews?.model_ids.includes(String(config.model_id))) return previews.gems;
  let gems = price.gems;
  for (const [field, factors] of Object.entries(price.factors)) {
    const token = String(config[field]);
    if (Object.hasOwn(factors, token)) gems *= factors[token] ?? 1;
  }
  if (price.seconds) gems = (gems * pricedSeconds(price.seconds, config, facts)) / price.seconds.base;
  return Math.max(1, Math.round(gems));
}

/** Whether the length of the source video affects the price; it does not for previews with a fixed price. */
export const countsSource = ({ price }: { price: PriceRule }, modelId: string): boolean =>
  price.seconds?.source !== undefined && !price.previews?.model_ids.includes(modelId);

/** Returns the price factor of a field's token, independent of other fields; 1 where the token does not matter. */
export function priceFactor(
  { price }: { price: PriceRule },
  config: Readonly<Record<string, unknown>>,
  field: string,
  token: string,
): number {
  if (price.previews?.model_ids.includes(String(config.model_id))) return 1;
  if (field === price.seconds?.field) return Number(token) / price.seconds.base;
  return price.factors[field]?.[token] ?? 1;
}

function pricedSeconds(
  { field, base, source }: NonNullable<PriceRule['seconds']>,
  config: Readonly<Record<string, unknown>>,
  { sourceSeconds = 0 }: PriceFacts,
): number {
  if (source === 'instead' && sourceSeconds > 0) return sourceSeconds;
  const asked = Number(config[field]) || base;
  return source === 'added' ? asked + sourceSeconds : asked;
}
