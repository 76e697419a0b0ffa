import { apiKeysToWire } from '#lib/accounts/api-key-to-wire';
import { holderOf } from '#lib/accounts/holder-acts';
import { rollOwnKey } from '#lib/accounts/own-keys';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(studioOperations.rollKey, async ({ caller, params, body }) => {
    const { overlap_hours } = await body();
    const rolled = await rollOwnKey(holderOf(caller), params.key_id, overlap_hours);
    const [key] = await apiKeysToWire([rolled]);
    return { body: { ...key!, key: rolled.key } };
  }),
});
