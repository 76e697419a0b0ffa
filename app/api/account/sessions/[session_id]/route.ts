import { endSession } from '#lib/accounts/sessions';
import { accountOperations } from '#lib/contract/account-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: route(accountOperations.endSession, async ({ caller, params }) => {
    await endSession(caller.accountId, params.session_id);
    return {};
  }),
});
