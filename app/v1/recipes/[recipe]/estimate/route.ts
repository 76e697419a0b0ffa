import { operations } from '#lib/contract/operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { estimateRun } from '#lib/recipes/estimate';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(
    operations.estimateRun,
    async ({ caller, params, body, signal }) => ({
      body: await estimateRun(caller, params.recipe, await body(), signal),
    }),
    { readsAs: 'estimate' },
  ),
});
