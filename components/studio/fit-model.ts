import { fitConfig, type Config } from '#components/studio/config';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

/** When the variant has changed, replaces the values that it does not accept with its defaults. */
export function fitModel(entry: CatalogEntry, before: Config, next: Config): Config {
  return before.model_id === next.model_id ? next : fitConfig(entry, next).config;
}
