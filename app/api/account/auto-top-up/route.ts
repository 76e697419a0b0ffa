import { setAutoTopUp } from '#lib/accounts/auto-top-up';
import { readGemsOverview } from '#lib/accounts/gems-overview';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PUT: route(studioOperations.setAutoTopUp, async ({ caller, body }) => {
    const { auto_top_up: wanted } = await body();
    const settings = wanted && { threshold: wanted.threshold, gems: wanted.gems, monthlyLimit: wanted.monthly_limit };
    await setAutoTopUp(caller.accountId, settings);
    return { body: await readGemsOverview(caller.accountId) };
  }),
});
