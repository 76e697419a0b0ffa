import { accountToWire } from '#lib/accounts/account-to-wire';
import { signInWithPasskey } from '#lib/accounts/passkeys';
import { beginSession } from '#lib/auth/session-token';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(studioOperations.signInWithPasskey, async ({ body, address, headers }) => {
    const account = await signInWithPasskey(await body(), address, headers['pomona-account']);
    return { body: { account: accountToWire(account) }, cookies: await beginSession(account.id, { headers, address }) };
  }),
});
