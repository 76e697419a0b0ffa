import { fitConfig, type Config } from '#components/studio/config';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

/** After another variant was chosen: what it does not accept becomes what it has by default. */
export function fitModel(entry: CatalogEntry, before: Config, next: Config): Config {
  return before.model_id === next.model_id ? next : fitConfig(entry, next).config;
}
