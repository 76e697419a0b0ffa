import { cheaperSetting } from '#components/studio/cheaper-setting';
import type { Config } from '#components/studio/config';
import { draftOf } from '#components/studio/drafts';
import type { Affordable } from '#components/studio/short-of-gems';
import { priceOf } from '#lib/catalog/price';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

/** Returns what an insufficient balance can still pay for: fewer results, a cheaper setting or a cheaper model. */
export function affordable({
  entries,
  entry,
  config,
  price,
  balance,
  onCount,
  setField,
}: {
  entries: readonly CatalogEntry[];
  /** The selected model. */
  entry: CatalogEntry;
  config: Config;
  /** Price of one request, in gems. */
  price: number;
  balance: number;
  onCount: (count: number) => void;
  setField: (name: string, value: unknown) => void;
}): Affordable | undefined {
  const fewer = Math.floor(balance / price);
  if (fewer > 0) return { name: `Make ${fewer}`, gems: fewer * price, take: () => onCount(fewer) };
  // attached media may add to the price by an amount that only the server knows
  const setting = price === priceOf(entry, config) ? cheaperSetting(entry, config, balance) : undefined;
  if (setting) {
    const { name, title, token, gems } = setting;
    const take = () => {
      onCount(1);
      setField(name, token);
    };
    return { name: `${title} ${token}`, gems, take };
  }
  const [model] = entries
    .filter(({ type, id }) => type === entry.type && id !== entry.id)
    // priced with the draft that the form of that model will open with
    .map(other => ({ ...other, gems: priceOf(other, draftOf(other)) }))
    .filter(({ gems }) => gems <= balance)
    .toSorted((a, b) => a.gems - b.gems);
  // the price is for a single request, so the count is reset to 1
  return model && { name: model.name, gems: model.gems, take: `/create/${model.id}`, before: () => onCount(1) };
}
