import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { buildWorkflow } from '#lib/operator/build-workflow';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(studioOperations.buildWorkflow, async ({ body }) => ({ body: buildWorkflow(await body()) })),
});
