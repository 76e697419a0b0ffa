import { getAccount } from '#lib/accounts/accounts';
import { changePassword } from '#lib/accounts/sign-ins';
import { beginSession } from '#lib/auth/session-token';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PUT: route(studioOperations.changePassword, async ({ caller, body, headers, address }) => {
    const { current_password, password } = await body();
    await changePassword(await getAccount(caller.accountId), current_password, password, caller);
    return { cookies: await beginSession(caller.accountId, { headers, address }) };
  }),
});
