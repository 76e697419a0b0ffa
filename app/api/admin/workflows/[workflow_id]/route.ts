import { actorOf } from '#lib/accounts/audit';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { getWorkflow, removeWorkflow, saveWorkflow } from '#lib/operator/workflows';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(studioOperations.getWorkflow, async ({ params }) => ({ body: getWorkflow(params.workflow_id) })),
  PUT: route(studioOperations.saveWorkflow, async ({ caller, params, body }) => ({
    body: await saveWorkflow(actorOf(caller), params.workflow_id, await body()),
  })),
  DELETE: route(studioOperations.removeWorkflow, async ({ caller, params }) => {
    await removeWorkflow(actorOf(caller), params.workflow_id);
    return {};
  }),
});
