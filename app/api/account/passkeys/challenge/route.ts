import { getAccount } from '#lib/accounts/accounts';
import { askForPasskey } from '#lib/accounts/passkeys';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(studioOperations.askForPasskey, async ({ caller }) => ({
    body: { options: { ...(await askForPasskey(await getAccount(caller.accountId))) } },
  })),
});
