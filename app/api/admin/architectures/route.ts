import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { listAllArchitectures } from '#lib/operator/architectures';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(studioOperations.listAllArchitectures, async () => ({ body: { data: await listAllArchitectures() } })),
});
