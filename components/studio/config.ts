import { shapesOf } from '#components/studio/shapes';
import { parseMentions } from '#lib/cast/parse-mentions';
import { variantDefaults } from '#lib/catalog/architecture';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import { ratioOf } from '#lib/output-spec';

/** Values shown by the form: defaults are filled in, unset fields are absent. */
export type Config = Record<string, unknown>;

/** Prefix that makes a recipe's id the id of its form; no architecture has such an id. */
export const RECIPE = 'recipe.';
/** Whether the form is that of a recipe: it has no model to choose, and none of its fields are folded away. */
export const isRecipe = ({ id }: CatalogEntry): boolean => id.startsWith(RECIPE);

export const modelOf = (entry: CatalogEntry, config: Config): string =>
  String(config.model_id ?? entry.base_config.model_id);

export const baseConfig = (entry: CatalogEntry, modelId = String(entry.base_config.model_id)): Config => ({
  ...blankPrompt(entry),
  ...(isRecipe(entry) ? entry.base_config : variantDefaults(entry.base_config, entry.options_by_model, modelId)),
});

/** A recipe declares its own text fields instead of `prompt`. */
const blankPrompt = (entry: CatalogEntry): Config => (isRecipe(entry) ? {} : { prompt: '' });

const isUnset = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Returns what has to be sent: the prompt, and the fields that differ from the architecture's defaults. */
export function changedFields(entry: CatalogEntry, config: Config): Config {
  const changed = Object.entries(config).filter(([name, value]) => {
    const base = entry.base_config[name];
    return isUnset(value) ? base !== undefined && value === '' : value !== base;
  });
  return { ...blankPrompt(entry), ...Object.fromEntries(changed) };
}

/**
 * Returns a config for the form from any source: a draft, a pasted body, the settings of a file, another variant.
 * Values that the variant does not accept fall back to its defaults; `dropped` names the fields that could not be used.
 */
export function fitConfig(entry: CatalogEntry, given: Config): { config: Config; dropped: string[] } {
  const models = entry.options.model_id ?? [];
  const modelId = models.find(id => id === given.model_id);
  const config = baseConfig(entry, modelId);
  const dropped: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue;
    if (fits(entry, String(config.model_id), name, value)) config[name] = value;
    else dropped.push(name);
  }
  return { config, dropped };
}

function fits(entry: CatalogEntry, modelId: string, name: string, value: unknown): boolean {
  const property = entry.input_schema.properties[name];
  if (!property) return false;
  const tokens = entry.options_by_model[modelId]?.[name] ?? entry.options[name];
  if (tokens) return tokens.some(token => token === value);
  const types = [property.type].flat();
  if (Array.isArray(value)) return types.includes('array') && value.every(item => typeof item === 'string');
  if (typeof value === 'number')
    return types.includes('number') || (types.includes('integer') && Number.isInteger(value));
  return types.includes(typeof value);
}

/** Returns the aspect ratio (width / height) of the output; null for audio. */
export function aspectOf(entry: CatalogEntry, config: Config): number | null {
  if (entry.type === 'audio') return null;
  const [field] = shapesOf(entry) ?? [];
  return field ? ratioOf(String(config[field] ?? entry.base_config[field])) : 1;
}

/** Whether only the server can tell the price, or whether the media and mentions can be used. */
export function needsEstimate(entry: CatalogEntry, config: Config): boolean {
  const hasMedia = Object.entries(entry.input_schema.properties).some(
    ([name, property]) => property['x-media'] !== undefined && !isUnset(config[name]),
  );
  return hasMedia || parseMentions(String(config.prompt ?? '')).length > 0;
}
