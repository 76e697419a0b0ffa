import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { listWorkflows } from '#lib/operator/workflows';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(studioOperations.listWorkflows, async () => ({ body: { data: listWorkflows() } })),
});
