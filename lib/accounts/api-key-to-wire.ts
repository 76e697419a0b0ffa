import type { ApiKey } from '#lib/accounts/api-keys';
import { readKeySpending } from '#lib/accounts/key-spending';
import type { ApiKeyWire } from '#lib/contract/account-schemas';

/** Keys as their holder sees them, with what they spent this month. */
export async function apiKeysToWire(keys: ApiKey[]): Promise<ApiKeyWire[]> {
  const spent = await readKeySpending(keys.map(({ id }) => id));
  return keys.map(key => apiKeyToWire(key, spent.get(key.id)));
}

export const apiKeyToWire = (key: ApiKey, spent = 0): ApiKeyWire => ({
  id: key.id,
  name: key.name,
  last_four: key.lastFour,
  created_at: key.createdAt.toISOString(),
  last_used_at: key.lastUsedAt?.toISOString() ?? null,
  expires_at: key.expiresAt?.toISOString() ?? null,
  monthly_budget: key.monthlyBudget,
  spent_this_month: spent,
  revoked_at: key.revokedAt?.toISOString() ?? null,
});
