import { modelOf, type Config } from '#components/studio/config';
import { fitModel } from '#components/studio/fit-model';
import { toForm } from '#components/studio/to-form';
import { priceOf } from '#lib/catalog/price';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

interface CheaperSetting {
  name: string;
  title: string;
  token: string;
  gems: number;
}

/** Returns the single setting change that makes a config affordable at the highest price; undefined if none does. */
export function cheaperSetting(
  entry: CatalogEntry,
  config: Config,
  balance: number,
  /** Returns the total price of the job with a changed config, in gems. */
  totalOf = (changed: Config) => priceOf(entry, changed),
): CheaperSetting | undefined {
  const { factors, seconds } = entry.price;
  return toForm(entry, modelOf(entry, config))
    .filter(({ name }) => Object.hasOwn(factors, name) || name === seconds?.field)
    .flatMap(({ name, options: { title, tokens = [] } }) =>
      tokens.map(token => {
        const gems = totalOf(fitModel(entry, config, { ...config, [name]: token }));
        return { name, title, token, gems };
      }),
    )
    .filter(({ gems }) => gems <= balance)
    .toSorted((a, b) => b.gems - a.gems)[0];
}
