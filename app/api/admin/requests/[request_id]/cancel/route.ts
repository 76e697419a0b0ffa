import { actorOf } from '#lib/accounts/audit';
import { accountOperations } from '#lib/contract/account-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { stopRequest } from '#lib/generations/oversee';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(accountOperations.stopRequest, async ({ caller, params }) => ({
    body: await stopRequest(actorOf(caller), params.request_id),
  })),
});
