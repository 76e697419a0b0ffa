import { readGemsOverview } from '#lib/accounts/gems-overview';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(studioOperations.getGems, async ({ caller }) => ({ body: await readGemsOverview(caller.accountId) })),
});
