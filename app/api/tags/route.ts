import { studioOperations } from '#lib/contract/studio-operations';
import { listTags } from '#lib/generations/tags';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(studioOperations.listTags, async ({ caller }) => ({ body: { data: await listTags(caller.accountId) } })),
});
