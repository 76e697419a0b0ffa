import { operations } from '#lib/contract/operations';
import { addTag, removeTag } from '#lib/generations/tags';
import { toDetailWire } from '#lib/generations/to-wire';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PUT: route(operations.addTag, async ({ caller, params }) => ({
    body: await toDetailWire(await addTag(caller.accountId, params.request_id, params.tag)),
  })),
  DELETE: route(operations.removeTag, async ({ caller, params }) => ({
    body: await toDetailWire(await removeTag(caller.accountId, params.request_id, params.tag)),
  })),
});
