import { operations } from '#lib/contract/operations';
import { asReader } from '#lib/http/limit-reads';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { estimateRun } from '#lib/recipes/estimate';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(operations.estimateRun, async ({ caller, params, body, signal }) => {
    const asked = await body();
    const estimate = () => estimateRun(caller, params.recipe, asked, signal);
    return { body: await asReader(`estimate ${caller.accountId}`, signal, estimate) };
  }),
});
