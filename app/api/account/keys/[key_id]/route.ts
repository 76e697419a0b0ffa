import { apiKeysToWire } from '#lib/accounts/api-key-to-wire';
import { changeBudget, revokeApiKey } from '#lib/accounts/api-keys';
import { cancelAll } from '#lib/generations/cancel';
import { accountOperations } from '#lib/contract/account-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PATCH: route(accountOperations.changeKey, async ({ caller, params, body }) => {
    const { monthly_budget } = await body();
    const [key] = await apiKeysToWire([await changeBudget(caller.accountId, params.key_id, monthly_budget)]);
    return { body: key! };
  }),
  DELETE: route(accountOperations.revokeKey, async ({ caller: { accountId }, params, query }) => {
    const revoked = await revokeApiKey(accountId, params.key_id);
    const cancelled = query.cancel === 'true' ? await cancelAll({ accountId, keyId: revoked.id }) : 0;
    const [key] = await apiKeysToWire([revoked]);
    return { body: { key: key!, cancelled } };
  }),
});
