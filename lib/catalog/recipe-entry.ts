import { catalog } from '#lib/catalog/catalog';
import { priceOf } from '#lib/catalog/price';
import { bodiesOf, valuesOf } from '#lib/catalog/recipe-bodies';
import type { Recipe } from '#lib/catalog/recipe-file';
import { resolveConfig } from '#lib/catalog/resolve-config';
import { toInputSchema } from '#lib/catalog/to-entry';
import type { RecipeWire } from '#lib/contract/recipe-schemas';
import { sum } from '#lib/sum';

/** Returns a recipe as `GET /v1/recipes` shows it. */
export function toRecipeEntry(recipe: Recipe, baseUrl: string): RecipeWire {
  const { id, name, description, inputs, required, results } = recipe;
  const defaults = Object.entries(inputs).flatMap(([key, input]) =>
    input.default === undefined ? [] : [[key, input.default] as const],
  );
  return {
    id,
    name,
    description,
    input_schema: toInputSchema(name, inputs, required),
    base_config: Object.fromEntries(defaults),
    steps: stepsOf(recipe),
    results,
    gems: sum(stepsOf(recipe).map(({ gems }) => gems)),
    run_url: `${baseUrl}/v1/recipes/${id}`,
    estimate_url: `${baseUrl}/v1/recipes/${id}/estimate`,
  };
}

/** Returns the steps with their default counts and prices, assuming one item for each list input. */
function stepsOf({ steps, ...recipe }: Recipe): RecipeWire['steps'] {
  const one = Object.entries(recipe.inputs).flatMap(([key, { type }]) => (type === 'array' ? [[key, ['']]] : []));
  const values: Record<string, unknown> = valuesOf({ steps, ...recipe }, Object.fromEntries(one));
  return steps.map(step => {
    const { id, name, architecture } = step;
    const bodies = bodiesOf(step, values);
    values[id] = bodies.map(() => '');
    const model = catalog().find(architecture);
    const prices = model ? bodies.map(body => priceOf(model, resolveConfig(model, body).config)) : [];
    return { id, name, architecture, type: typeOf(architecture), count: bodies.length, gems: sum(prices) };
  });
}

/** Returns the type of an architecture; `image`, the most common one, when it no longer exists. */
export const typeOf = (architecture: string) => catalog().find(architecture)?.type ?? 'image';
