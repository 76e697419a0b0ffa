import { accountOperations } from '#lib/contract/account-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { readUsage } from '#lib/generations/usage';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(accountOperations.getUsage, async ({ caller, query }) => ({
    body: await readUsage(caller.accountId, Number(query.days), { keyId: query.key_id }),
  })),
});
