import { actorOf } from '#lib/accounts/audit';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { stopRequest } from '#lib/generations/oversee';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(studioOperations.stopRequest, async ({ caller, params }) => ({
    body: await stopRequest(actorOf(caller), params.request_id),
  })),
});
