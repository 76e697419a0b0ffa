import { getAccount } from '#lib/accounts/accounts';
import { autoTopUpToWire } from '#lib/accounts/gems-overview';
import { operations } from '#lib/contract/operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(operations.getAccount, async ({ caller }) => {
    const { balance, autoTopUp } = await getAccount(caller.accountId);
    return { body: { gems: { balance }, ...(autoTopUp && { auto_top_up: autoTopUpToWire(autoTopUp) }) } };
  }),
});
