import { actorOf } from '#lib/accounts/audit';
import { issueResetLink } from '#lib/accounts/govern';
import { requireRecentSignIn } from '#lib/accounts/recent-sign-in';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(studioOperations.makeResetLink, async ({ caller, params }) => {
    requireRecentSignIn(caller);
    const { url, expiresAt } = await issueResetLink(actorOf(caller), params.account_id);
    return { body: { url, expires_at: expiresAt.toISOString() } };
  }),
});
