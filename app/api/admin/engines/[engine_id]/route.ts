import { actorOf } from '#lib/accounts/audit';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { changeEngine, getEngine, removeEngine, replaceEngine } from '#lib/operator/change-engines';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(studioOperations.getEngine, async ({ params }) => ({ body: getEngine(params.engine_id) })),
  PUT: route(studioOperations.replaceEngine, async ({ caller, params, body }) => ({
    body: await replaceEngine(actorOf(caller), params.engine_id, await body()),
  })),
  PATCH: route(studioOperations.changeEngine, async ({ caller, params, body }) => ({
    body: await changeEngine(actorOf(caller), params.engine_id, await body()),
  })),
  DELETE: route(studioOperations.removeEngine, async ({ caller, params }) => {
    await removeEngine(actorOf(caller), params.engine_id);
    return {};
  }),
});
