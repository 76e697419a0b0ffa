import { challengePasskey } from '#lib/accounts/passkeys';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(studioOperations.challengePasskey, async ({ address }) => ({
    body: { options: { ...(await challengePasskey(address)) } },
  })),
});
