import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { readWorkflowFile } from '#lib/operator/read-workflow-file';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(studioOperations.readWorkflow, async ({ body }) => ({ body: await readWorkflowFile(await body()) })),
});
