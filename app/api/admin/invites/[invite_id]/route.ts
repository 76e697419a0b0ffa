import { actorOf } from '#lib/accounts/audit';
import { withdrawInviteAs } from '#lib/accounts/govern';
import { accountOperations } from '#lib/contract/account-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: route(accountOperations.withdrawInvite, async ({ caller, params }) => {
    await withdrawInviteAs(actorOf(caller), params.invite_id);
    return {};
  }),
});
