import type { Architecture } from '#lib/catalog/catalog-file';
import { bodiesOf, valuesOf } from '#lib/catalog/recipe-bodies';
import type { Recipe } from '#lib/catalog/recipe-file';
import { namesOf } from '#lib/catalog/render-template';

/**
 * Narrows the choices of a recipe to those that lead to served variants; null when a step has none left. `find` returns
 * the architectures that are offered.
 */
export function narrowRecipe(recipe: Recipe, find: (id: string) => Architecture | undefined): Recipe | null {
  const inputs = { ...recipe.inputs };
  for (const step of recipe.steps) {
    const architecture = find(step.architecture);
    if (!architecture) return null;
    const isMade = (chosen: Record<string, unknown>) =>
      variantsOf({ ...recipe, inputs }, step, chosen).every(model => architecture.model_ids.includes(model));
    for (const key of namesOf(step.body.model_id)) {
      const { enum: tokens, default: preset } = inputs[key] ?? {};
      if (!tokens) continue;
      const made = tokens.filter(token => isMade({ [key]: token }));
      if (made.length === 0) return null;
      const kept = made.find(token => token === preset) ?? made[0]!;
      inputs[key] = { ...inputs[key]!, enum: made, ...(preset !== undefined && { default: kept }) };
    }
    if (!isMade({})) return null;
  }
  return { ...recipe, inputs };
}

/** Returns the variants that a step uses with these inputs. */
function variantsOf(
  recipe: Recipe,
  { each, body: { model_id } }: Recipe['steps'][number],
  inputs: Record<string, unknown>,
) {
  if (model_id === undefined) return [];
  // items that come with a run are not known yet
  const step = { each: Array.isArray(each) ? each : [''], body: { model_id } };
  return bodiesOf(step, valuesOf(recipe, inputs)).flatMap(body =>
    body.model_id === undefined ? [] : [String(body.model_id)],
  );
}
