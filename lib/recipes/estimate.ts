import type { Caller } from '#lib/accounts/callers';
import { typeOf } from '#lib/catalog/recipe-entry';
import { valuesOf } from '#lib/catalog/recipe-bodies';
import { getRecipe } from '#lib/catalog/recipes';
import type { RecipeEstimateWire } from '#lib/contract/recipe-schemas';
import { requireMayGenerate } from '#lib/generations/admit';
import { fundsFor } from '#lib/generations/estimate';
import { planRun } from '#lib/recipes/plan';
import { readInputs } from '#lib/recipes/read-inputs';
import { sum } from '#lib/sum';

/** Estimates the cost of a run by step and lists all issues of its inputs. Charges nothing. */
export async function estimateRun(
  caller: Caller,
  recipeId: string,
  body: Record<string, unknown>,
  signal?: AbortSignal,
): Promise<RecipeEstimateWire> {
  const recipe = getRecipe(recipeId);
  requireMayGenerate(caller);
  const { inputs, issues, warnings } = readInputs(recipe, body);
  const plan = await planRun(caller.accountId, recipe.steps, valuesOf(recipe, inputs), signal);
  const gems = sum(plan.prices.flat());
  return {
    gems,
    ...(await fundsFor(caller, gems)),
    steps: recipe.steps.map(({ id, name, architecture }, at) => {
      const prices = plan.prices[at] ?? [];
      return { id, name, architecture, type: typeOf(architecture), count: prices.length, gems: sum(prices) };
    }),
    mentions: plan.mentions.map(({ handle, id, kind }) => ({ handle, id, kind })),
    // issues of the inputs themselves are clearer than the issues that follow from them
    issues: issues.length ? issues : plan.issues,
    ...(warnings.length > 0 && { warnings }),
  };
}
