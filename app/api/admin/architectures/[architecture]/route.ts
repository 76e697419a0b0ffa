import { actorOf } from '#lib/accounts/audit';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { changeArchitecture } from '#lib/operator/architectures';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PATCH: route(studioOperations.changeArchitecture, async ({ caller, params, body }) => ({
    body: await changeArchitecture(actorOf(caller), params.architecture, (await body()).state),
  })),
});
