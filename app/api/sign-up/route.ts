import { accountToWire } from '#lib/accounts/account-to-wire';
import { signUp } from '#lib/accounts/sign-up';
import { beginSession } from '#lib/auth/session-token';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(studioOperations.signUp, async ({ body, headers, address }) => {
    const account = await signUp(await body(), address);
    return { body: { account: accountToWire(account) }, cookies: await beginSession(account.id, { headers, address }) };
  }),
});
