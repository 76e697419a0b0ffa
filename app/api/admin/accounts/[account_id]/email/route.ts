import { actorOf } from '#lib/accounts/audit';
import { issueEmailLink } from '#lib/accounts/govern';
import { accountOperations } from '#lib/contract/account-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(accountOperations.makeEmailLink, async ({ caller, params, body }) => {
    const { email } = await body();
    const { url, expiresAt } = await issueEmailLink(actorOf(caller), params.account_id, email);
    return { body: { url, expires_at: expiresAt.toISOString() } };
  }),
});
