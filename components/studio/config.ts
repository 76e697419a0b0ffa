import { shapesOf } from '#components/studio/shapes';
import { parseMentions } from '#lib/cast/parse-mentions';
import { variantDefaults } from '#lib/catalog/architecture';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import { ratioOf } from '#lib/output-spec';

/** Everything the form shows: defaults folded in, what is not set left out. */
export type Config = Record<string, unknown>;

/** Before the id of a recipe where it stands as a form; no architecture has such an id. */
export const RECIPE = 'recipe.';
/** Of the form of a recipe: there is no model to choose, and everything that it asks for is in view. */
export const isRecipe = ({ id }: CatalogEntry): boolean => id.startsWith(RECIPE);

export const modelOf = (entry: CatalogEntry, config: Config): string =>
  String(config.model_id ?? entry.base_config.model_id);

export const baseConfig = (entry: CatalogEntry, modelId = String(entry.base_config.model_id)): Config => ({
  ...blankPrompt(entry),
  ...(isRecipe(entry) ? entry.base_config : variantDefaults(entry.base_config, entry.options_by_model, modelId)),
});

/** Recipes ask for words of their own. */
const blankPrompt = (entry: CatalogEntry): Config => (isRecipe(entry) ? {} : { prompt: '' });

const isUnset = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** What has to be sent: the prompt, and what is not as the architecture has it by default. */
export function changedFields(entry: CatalogEntry, config: Config): Config {
  const changed = Object.entries(config).filter(([name, value]) => {
    const base = entry.base_config[name];
    return isUnset(value) ? base !== undefined && value === '' : value !== base;
  });
  return { ...blankPrompt(entry), ...Object.fromEntries(changed) };
}

/**
 * A config for the form from whatever is at hand: a draft, a pasted body, settings of a file, another variant. What the
 * variant does not accept falls back to its default; `dropped` names what could not be used.
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

/** Width over height that the output will have; null for sound. */
export function aspectOf(entry: CatalogEntry, config: Config): number | null {
  if (entry.type === 'audio') return null;
  const [field] = shapesOf(entry) ?? [];
  return field ? ratioOf(String(config[field] ?? entry.base_config[field])) : 1;
}

/** Whether an answer of the server is needed to know the price or whether the media and mentions can be used. */
export function needsEstimate(entry: CatalogEntry, config: Config): boolean {
  const hasMedia = Object.entries(entry.input_schema.properties).some(
    ([name, property]) => property['x-media'] !== undefined && !isUnset(config[name]),
  );
  return hasMedia || parseMentions(String(config.prompt ?? '')).length > 0;
}
