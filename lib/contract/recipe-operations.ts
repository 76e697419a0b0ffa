import { z } from 'zod';
import { plain, type PublicOperation } from '#lib/contract/operation';
import * as shape from '#lib/contract/recipe-schemas';
import { described, idempotencyKey, maxGems, page, meantAccount, text } from '#lib/contract/values';

const recipe = { ...plain, tag: 'Recipes' } as const;
const byRecipe = z.object({ recipe: described('An id of GET /v1/recipes', z.string()) });
const byRun = z.object({ run_id: z.string() });
/** Any JSON object; the recipe validates its members. */
const body = z
  .record(z.string(), z.unknown(), 'a JSON object: the inputs of the recipe')
  .meta({ id: 'RecipeInputs', description: 'The inputs of the recipe, as described by its input_schema' });

const stepErrors = [
  'invalid_config',
  'content_blocked',
  'quota_exceeded',
  'recipe_not_found',
  'content_restricted',
] as const;

/** Operations on recipes and their runs. */
export const recipeOperations = {
  listRecipes: {
    ...recipe,
    scope: 'read',
    method: 'GET',
    path: '/v1/recipes',
    summary: 'Every recipe with its inputs and steps',
    responses: { 200: shape.recipeList },
    errors: [],
  },
  getRecipe: {
    ...recipe,
    scope: 'read',
    method: 'GET',
    path: '/v1/recipes/{recipe}',
    summary: 'A recipe with its inputs and steps',
    params: byRecipe,
    responses: { 200: shape.recipe },
    errors: ['recipe_not_found'],
  },
  startRun: {
    ...recipe,
    scope: 'generate',
    method: 'POST',
    path: '/v1/recipes/{recipe}',
    summary: 'Run a recipe; each of its requests is charged when it is submitted',
    params: byRecipe,
    headers: z.object({
      'idempotency-key': described(
        'Choose a new key for each run. A retry with the same key answers with the first run and starts nothing',
        idempotencyKey,
      ),
      'max-gems': described('Highest acceptable price of the whole run; a higher one is refused', maxGems()),
      'pomona-account': meantAccount,
    }),
    body,
    responses: { 202: shape.run, 200: shape.run },
    tells: { 200: ['Idempotency-Replayed'] },
    errors: [...stepErrors, 'insufficient_gems', 'price_above_limit', 'submission_in_progress'],
    invalid: 'invalid_config',
  },
  estimateRun: {
    ...recipe,
    scope: 'generate',
    method: 'POST',
    path: '/v1/recipes/{recipe}/estimate',
    summary: 'Price a run without starting it',
    params: byRecipe,
    body,
    responses: { 200: shape.recipeEstimate },
    errors: stepErrors,
    invalid: 'invalid_config',
  },
  listRuns: {
    ...recipe,
    scope: 'read',
    method: 'GET',
    path: '/v1/recipes/runs',
    summary: 'Runs of the account, newest first',
    query: page.extend({ recipe: described('Only those of this recipe', text(1, 100).optional()) }),
    responses: { 200: shape.runList },
    errors: ['invalid_request'],
  },
  getRun: {
    ...recipe,
    scope: 'read',
    method: 'GET',
    path: '/v1/recipes/runs/{run_id}',
    summary: 'A run with the progress of each step and its requests',
    params: byRun,
    responses: { 200: shape.run },
    errors: ['run_not_found'],
  },
  cancelRun: {
    ...recipe,
    scope: 'generate',
    method: 'POST',
    path: '/v1/recipes/runs/{run_id}/cancel',
    summary: 'Stop a run: requests in flight are cancelled without a refund, later ones are not charged',
    params: byRun,
    responses: { 200: shape.run },
    errors: ['run_not_found', 'run_finished'],
  },
  retryRun: {
    ...recipe,
    scope: 'generate',
    method: 'POST',
    path: '/v1/recipes/runs/{run_id}/retry',
    summary: 'Run the missing part of a failed or cancelled run; existing results are kept',
    params: byRun,
    headers: z.object({
      'max-gems': described('Highest acceptable price of the missing part; a higher one is refused', maxGems()),
      'pomona-account': meantAccount,
    }),
    responses: { 202: shape.run },
    errors: [
      'invalid_request',
      'run_not_found',
      'run_live',
      'run_finished',
      'insufficient_gems',
      'price_above_limit',
      // a retry submits the missing steps again, so it can be refused like a new run
      'architecture_not_found',
      'architecture_retired',
      'content_blocked',
      'content_restricted',
    ],
  },
} as const satisfies Record<string, PublicOperation>;
