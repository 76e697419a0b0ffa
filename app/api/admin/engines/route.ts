import { actorOf } from '#lib/accounts/audit';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { addEngine } from '#lib/operator/change-engines';
import { listEngines } from '#lib/operator/list-engines';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(studioOperations.listEngines, async () => ({ body: await listEngines() })),
  POST: route(studioOperations.addEngine, async ({ caller, body }) => ({
    body: await addEngine(actorOf(caller), await body()),
  })),
});
