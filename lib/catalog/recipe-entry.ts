import { catalog } from '#lib/catalog/catalog';
import type { Recipe } from '#lib/catalog/recipe-file';
import { toInputSchema } from '#lib/catalog/to-entry';
import type { RecipeWire } from '#lib/contract/recipe-schemas';

/** A recipe as `GET /v1/recipes` shows it. */
export function toRecipeEntry(recipe: Recipe, baseUrl: string): RecipeWire {
  const { id, name, description, inputs, required, steps, results } = recipe;
  const defaults = Object.entries(inputs).flatMap(([key, input]) =>
    input.default === undefined ? [] : [[key, input.default] as const],
  );
  return {
    id,
    name,
    description,
    input_schema: toInputSchema(name, inputs, required),
    base_config: Object.fromEntries(defaults),
    steps: steps.map(({ id, name, architecture }) => ({ id, name, architecture, type: typeOf(architecture) })),
    results,
    run_url: `${baseUrl}/v1/recipes/${id}`,
    estimate_url: `${baseUrl}/v1/recipes/${id}/estimate`,
  };
}

/** Of an architecture that is gone since, what most are. */
export const typeOf = (architecture: string) => catalog().find(architecture)?.type ?? 'image';
