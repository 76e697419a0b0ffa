import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { readUsage } from '#lib/generations/usage';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(studioOperations.getUsage, async ({ caller, query }) => ({
    body: await readUsage(caller.accountId, Number(query.days), { keyId: query.key_id }),
  })),
});
