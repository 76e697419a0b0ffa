import { actorOf } from '#lib/accounts/audit';
import { accountOperations } from '#lib/contract/account-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { addEngine } from '#lib/operator/change-engines';
import { listEngines } from '#lib/operator/list-engines';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(accountOperations.listEngines, async () => ({ body: await listEngines() })),
  POST: route(accountOperations.addEngine, async ({ caller, body }) => ({
    body: await addEngine(actorOf(caller), await body()),
  })),
});
