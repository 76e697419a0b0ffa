import { accountToWire } from '#lib/accounts/account-to-wire';
import { getAccount } from '#lib/accounts/accounts';
import { signInWithPassword } from '#lib/accounts/sign-ins';
import { findSessionByCookies } from '#lib/auth/session';
import { beginSession, endSession } from '#lib/auth/session-token';
import { accountOperations } from '#lib/contract/account-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(accountOperations.getSession, async ({ headers }) => {
    const caller = await findSessionByCookies(headers.cookie ?? null);
    return { body: { account: caller && accountToWire(await getAccount(caller.accountId)) } };
  }),
  POST: route(accountOperations.signIn, async ({ body, address }) => {
    const account = await signInWithPassword(await body(), address);
    return { body: { account: accountToWire(account) }, headers: { 'set-cookie': await beginSession(account) } };
  }),
  DELETE: route(accountOperations.signOut, async () => ({ headers: { 'set-cookie': endSession() } })),
});
