import { modelOf, type Config } from '#components/studio/config';
import { shapesOf } from '#components/studio/shapes';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import { nearestToken } from '#lib/output-spec';

/** The field and token of a model that come nearest to a picture's shape; nothing where it has no shapes. */
export function nearestShape(entry: CatalogEntry, config: Config, shape: number): Record<string, string> {
  const [field, all] = shapesOf(entry) ?? [];
  if (!field || !all) return {};
  return { [field]: nearestToken(entry.options_by_model[modelOf(entry, config)]?.[field] ?? all, shape)! };
}
