import { endSession } from '#lib/accounts/sessions';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: route(studioOperations.endSession, async ({ caller, params }) => {
    await endSession(caller.accountId, params.session_id);
    return {};
  }),
});
