import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { readQuotas } from '#lib/quotas';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(studioOperations.getQuotas, async ({ caller }) => ({
    body: { data: await readQuotas(caller.accountId) },
  })),
});
