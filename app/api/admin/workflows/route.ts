import { accountOperations } from '#lib/contract/account-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { listWorkflows } from '#lib/operator/workflows';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(accountOperations.listWorkflows, async () => ({ body: { data: listWorkflows() } })),
});
