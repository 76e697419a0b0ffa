import { operations } from '#lib/contract/operations';
import { estimateGeneration } from '#lib/generations/estimate';
import { asReader } from '#lib/http/limit-reads';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(operations.estimate, async ({ caller, params, body, signal }) => {
    const asked = await body();
    const estimate = () => estimateGeneration(caller, params.architecture, asked, signal);
    return { body: await asReader(`estimate ${caller.accountId}`, signal, estimate) };
  }),
});
