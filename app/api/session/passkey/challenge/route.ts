import { challengePasskey } from '#lib/accounts/passkeys';
import { accountOperations } from '#lib/contract/account-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(accountOperations.challengePasskey, async ({ address }) => ({
    body: { options: { ...(await challengePasskey(address)) } },
  })),
});
