import { readBalance } from '#lib/accounts/ledger';
import { operations } from '#lib/contract/operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(operations.getAccount, async ({ caller }) => ({
    body: { gems: { balance: await readBalance(caller.accountId) } },
  })),
});
