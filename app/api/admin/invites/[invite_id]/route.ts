import { actorOf } from '#lib/accounts/audit';
import { withdrawInviteAs } from '#lib/accounts/govern';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: route(studioOperations.withdrawInvite, async ({ caller, params }) => {
    await withdrawInviteAs(actorOf(caller), params.invite_id);
    return {};
  }),
});
