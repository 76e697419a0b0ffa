import { apiKeysToWire } from '#lib/accounts/api-key-to-wire';
import { rollApiKey } from '#lib/accounts/api-keys';
import { accountOperations } from '#lib/contract/account-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(accountOperations.rollKey, async ({ caller, params, body }) => {
    const { overlap_hours } = await body();
    const rolled = await rollApiKey(caller.accountId, params.key_id, overlap_hours);
    const [key] = await apiKeysToWire([rolled]);
    return { body: { ...key!, key: rolled.key } };
  }),
});
