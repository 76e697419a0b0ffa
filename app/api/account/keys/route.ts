import { apiKeysToWire, apiKeyToWire } from '#lib/accounts/api-key-to-wire';
import { listApiKeys } from '#lib/accounts/api-keys';
import { holderOf } from '#lib/accounts/holder-acts';
import { createOwnKey } from '#lib/accounts/own-keys';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(studioOperations.listKeys, async ({ caller }) => ({
    body: { data: await apiKeysToWire(await listApiKeys(caller.accountId)) },
  })),
  POST: route(studioOperations.createKey, async ({ caller, body }) => {
    const { name, scopes, expires_at, monthly_budget, in_flight_limit } = await body();
    const made = await createOwnKey(holderOf(caller), {
      name,
      scopes,
      expiresAt: expires_at ? new Date(expires_at) : null,
      monthlyBudget: monthly_budget,
      inFlightLimit: in_flight_limit,
    });
    return { body: { ...apiKeyToWire(made), key: made.key } };
  }),
});
