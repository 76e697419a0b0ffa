import { actorOf } from '#lib/accounts/audit';
import { accountOperations } from '#lib/contract/account-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { changeEngine, getEngine, removeEngine, replaceEngine } from '#lib/operator/change-engines';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(accountOperations.getEngine, async ({ params }) => ({ body: getEngine(params.engine_id) })),
  PUT: route(accountOperations.replaceEngine, async ({ caller, params, body }) => ({
    body: await replaceEngine(actorOf(caller), params.engine_id, await body()),
  })),
  PATCH: route(accountOperations.changeEngine, async ({ caller, params, body }) => ({
    body: await changeEngine(actorOf(caller), params.engine_id, await body()),
  })),
  DELETE: route(accountOperations.removeEngine, async ({ caller, params }) => {
    await removeEngine(actorOf(caller), params.engine_id);
    return {};
  }),
});
