import { operations } from '#lib/contract/operations';
import { estimateGeneration } from '#lib/generations/estimate';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(
    operations.estimate,
    async ({ caller, params, body, signal }) => ({
      body: await estimateGeneration(caller, params.architecture, await body(), signal),
    }),
    { readsAs: 'estimate' },
  ),
});
