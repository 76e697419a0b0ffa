import { toRecipeEntry } from '#lib/catalog/recipe-entry';
import { getRecipe } from '#lib/catalog/recipes';
import { operations } from '#lib/contract/operations';
import { env } from '#lib/env';
import { startRun } from '#lib/recipes/start';
import { toRunWire } from '#lib/recipes/to-wire';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(operations.getRecipe, async ({ params }) => ({
    body: toRecipeEntry(getRecipe(params.recipe), env().BASE_URL),
  })),
  POST: route(operations.startRun, async ({ caller, params, headers, body, signal }) => {
    const { run, replayed } = await startRun({
      caller,
      recipeId: params.recipe,
      idempotencyKey: headers['idempotency-key'],
      maxGems: headers['max-gems'],
      body,
      signal,
    });
    if (!replayed) return { status: 202, body: await toRunWire(run) };
    return { status: 200, body: await toRunWire(run), headers: { 'idempotency-replayed': 'true' } };
  }),
});
