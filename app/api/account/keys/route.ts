import { apiKeysToWire, apiKeyToWire } from '#lib/accounts/api-key-to-wire';
import { createApiKey, listApiKeys } from '#lib/accounts/api-keys';
import { accountOperations } from '#lib/contract/account-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(accountOperations.listKeys, async ({ caller }) => ({
    body: { data: await apiKeysToWire(await listApiKeys(caller.accountId)) },
  })),
  POST: route(accountOperations.createKey, async ({ caller, body }) => {
    const { name, expires_at, monthly_budget } = await body();
    const expiresAt = expires_at ? new Date(expires_at) : null;
    const made = await createApiKey(caller.accountId, { name, expiresAt, monthlyBudget: monthly_budget ?? null });
    return { body: { ...apiKeyToWire(made), key: made.key } };
  }),
});
