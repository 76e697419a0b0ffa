import { accountToWire } from '#lib/accounts/account-to-wire';
import { getAccount } from '#lib/accounts/accounts';
import { isRecent } from '#lib/accounts/recent-sign-in';
import { signInWithPassword } from '#lib/accounts/sign-ins';
import { findSessionByCookies, signOut } from '#lib/auth/session';
import { beginSession, dropSession, findDeviceToken } from '#lib/auth/session-token';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(studioOperations.getSession, async ({ headers }) => {
    const caller = await findSessionByCookies(headers.cookie ?? null);
    const account = caller && accountToWire(await getAccount(caller.accountId));
    return { body: { account, recent: caller !== null && isRecent(caller) } };
  }),
  POST: route(studioOperations.signIn, async ({ body, address, headers }) => {
    const device = findDeviceToken(headers.cookie ?? null);
    const signedIn = await signInWithPassword(await body(), { address, device }, async (account, tx) => ({
      body: { account: accountToWire(account) },
      cookies: await beginSession(account.id, { headers, address }, tx),
    }));
    return signedIn ?? { body: { account: null } };
  }),
  DELETE: route(studioOperations.signOut, async ({ headers }) => {
    await signOut(headers.cookie ?? null);
    return { cookies: [dropSession()] };
  }),
});
