import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { endShare } from '#lib/library/shares';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: route(studioOperations.endShare, async ({ caller, params }) => {
    await endShare(caller.accountId, params.share_id);
    return {};
  }),
});
