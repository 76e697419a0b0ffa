import { endSessions } from '#lib/accounts/sign-ins';
import { dropSession } from '#lib/auth/session-token';
import { accountOperations } from '#lib/contract/account-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(accountOperations.signOutEverywhere, async ({ caller }) => {
    await endSessions(caller.accountId);
    return { cookies: [dropSession()] };
  }),
});
