import { actorOf } from '#lib/accounts/audit';
import { readAccountDetail } from '#lib/accounts/find-accounts';
import { changeAccount } from '#lib/accounts/govern';
import { requireRecentSignIn } from '#lib/accounts/recent-sign-in';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(studioOperations.getAccountDetail, async ({ params }) => ({
    body: await readAccountDetail(params.account_id),
  })),
  PATCH: route(studioOperations.changeAccount, async ({ caller, params, body }) => {
    const patch = await body();
    if (patch.operator) requireRecentSignIn(caller);
    const account = await changeAccount(actorOf(caller), params.account_id, {
      operator: patch.operator,
      disabled: patch.disabled,
      mayGenerate: patch.may_generate,
      mayCreateCast: patch.may_create_cast,
      inFlightLimit: patch.in_flight_limit,
      topUpLimit: patch.top_up_limit,
    });
    return { body: await readAccountDetail(account.id) };
  }),
});
