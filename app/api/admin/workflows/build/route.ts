import { accountOperations } from '#lib/contract/account-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { buildWorkflow } from '#lib/operator/build-workflow';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(accountOperations.buildWorkflow, async ({ body }) => ({ body: buildWorkflow(await body()) })),
});
