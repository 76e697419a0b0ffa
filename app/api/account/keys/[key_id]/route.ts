import { apiKeysToWire } from '#lib/accounts/api-key-to-wire';
import { holderOf } from '#lib/accounts/holder-acts';
import { changeOwnBudget, revokeOwnKey } from '#lib/accounts/own-keys';
import { cancelAll } from '#lib/generations/cancel';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PATCH: route(studioOperations.changeKey, async ({ caller, params, body }) => {
    const { monthly_budget } = await body();
    const changed = await changeOwnBudget(holderOf(caller), params.key_id, monthly_budget);
    const [key] = await apiKeysToWire([changed]);
    return { body: key! };
  }),
  DELETE: route(studioOperations.revokeKey, async ({ caller, params, query }) => {
    const revoked = await revokeOwnKey(holderOf(caller), params.key_id);
    const cancelled = query.cancel === 'true' ? await cancelAll({ accountId: caller.accountId, keyId: revoked.id }) : 0;
    const [key] = await apiKeysToWire([revoked]);
    return { body: { key: key!, cancelled } };
  }),
});
