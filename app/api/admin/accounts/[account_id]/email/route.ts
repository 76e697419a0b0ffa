import { actorOf } from '#lib/accounts/audit';
import { issueEmailLink } from '#lib/accounts/govern';
import { requireRecentSignIn } from '#lib/accounts/recent-sign-in';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(studioOperations.makeEmailLink, async ({ caller, params, body }) => {
    requireRecentSignIn(caller);
    const { email } = await body();
    const { url, expiresAt } = await issueEmailLink(actorOf(caller), params.account_id, email);
    return { body: { url, expires_at: expiresAt.toISOString() } };
  }),
});
