import { getAccount } from '#lib/accounts/accounts';
import { askForPasskey } from '#lib/accounts/passkeys';
import { accountOperations } from '#lib/contract/account-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(accountOperations.askForPasskey, async ({ caller }) => ({
    body: { options: { ...(await askForPasskey(await getAccount(caller.accountId))) } },
  })),
});
