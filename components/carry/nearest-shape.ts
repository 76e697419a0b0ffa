import { modelOf, type Config } from '#components/studio/config';
import { shapesOf } from '#components/studio/shapes';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import { nearestToken } from '#lib/output-spec';

/** Returns the aspect ratio field of a model with the token nearest to `shape`; empty if it has no such field. */
export function nearestShape(entry: CatalogEntry, config: Config, shape: number): Record<string, string> {
  const [field, all] = shapesOf(entry) ?? [];
  if (!field || !all) return {};
  return { [field]: nearestToken(entry.options_by_model[modelOf(entry, config)]?.[field] ?? all, shape)! };
}
