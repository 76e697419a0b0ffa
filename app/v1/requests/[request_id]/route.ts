import { operations } from '#lib/contract/operations';
import { getReadable } from '#lib/generations/read';
import { removeGeneration } from '#lib/generations/remove';
import { toDetailWire } from '#lib/generations/to-wire';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(operations.getRequest, async ({ caller, params }) => ({
    body: await toDetailWire(await getReadable(caller.accountId, params.request_id)),
  })),
  DELETE: route(operations.deleteRequest, async ({ caller, params }) => {
    await removeGeneration(caller.accountId, params.request_id);
    return {};
  }),
});
