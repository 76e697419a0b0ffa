import { accountOperations } from '#lib/contract/account-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { readEngines } from '#lib/generations/engine-overview';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(accountOperations.listEngines, async () => ({ body: { data: await readEngines() } })),
});
