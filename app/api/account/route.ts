import { readProfile } from '#lib/accounts/account-to-wire';
import { getAccount, renameAccount } from '#lib/accounts/accounts';
import { requirePassword } from '#lib/accounts/sign-ins';
import { dropSession } from '#lib/auth/session-token';
import { studioOperations } from '#lib/contract/studio-operations';
import { deleteAccount } from '#lib/generations/delete-account';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(studioOperations.getProfile, async ({ caller: { accountId } }) => ({
    body: await readProfile(await getAccount(accountId)),
  })),
  PATCH: route(studioOperations.changeProfile, async ({ caller: { accountId }, body }) => ({
    body: await readProfile(await renameAccount(accountId, (await body()).name)),
  })),
  DELETE: route(studioOperations.deleteAccount, async ({ caller, body }) => {
    const { confirm, password } = await body();
    const account = await getAccount(caller.accountId);
    await requirePassword(account, password, caller);
    await deleteAccount(account, confirm);
    return { cookies: [dropSession()] };
  }),
});
