import { actorOf } from '#lib/accounts/audit';
import { readAccountDetail } from '#lib/accounts/find-accounts';
import { dropSecondStepAs } from '#lib/accounts/govern';
import { requireRecentSignIn } from '#lib/accounts/recent-sign-in';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: route(studioOperations.dropSecondStep, async ({ caller, params: { account_id } }) => {
    requireRecentSignIn(caller);
    await dropSecondStepAs(actorOf(caller), account_id);
    return { body: await readAccountDetail(account_id) };
  }),
});
