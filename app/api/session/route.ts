import { accountToWire } from '#lib/accounts/account-to-wire';
import { getAccount } from '#lib/accounts/accounts';
import { isRecent } from '#lib/accounts/recent-sign-in';
import { signInWithPassword } from '#lib/accounts/sign-ins';
import { findSessionByCookies, signOut } from '#lib/auth/session';
import { beginSession, dropSession, findDeviceToken } from '#lib/auth/session-token';
import { accountOperations } from '#lib/contract/account-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(accountOperations.getSession, async ({ headers }) => {
    const caller = await findSessionByCookies(headers.cookie ?? null);
    const account = caller && accountToWire(await getAccount(caller.accountId));
    return { body: { account, recent: caller !== null && isRecent(caller) } };
  }),
  POST: route(accountOperations.signIn, async ({ body, address, headers }) => {
    const device = findDeviceToken(headers.cookie ?? null);
    const signedIn = await signInWithPassword(await body(), { address, device }, async (account, tx) => ({
      body: { account: accountToWire(account) },
      cookies: await beginSession(account.id, { headers, address }, tx),
    }));
    return signedIn ?? { body: { account: null } };
  }),
  DELETE: route(accountOperations.signOut, async ({ headers }) => {
    await signOut(headers.cookie ?? null);
    return { cookies: [dropSession()] };
  }),
});
