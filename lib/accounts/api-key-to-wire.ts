import type { ApiKey } from '#lib/accounts/api-keys';
import { readKeySpending } from '#lib/accounts/key-spending';
import type { ApiKeyWire } from '#lib/contract/api-key-schemas';

/** Converts keys to the form that their holder sees, with their spending of this month. */
export async function apiKeysToWire(keys: ApiKey[]): Promise<ApiKeyWire[]> {
  const spent = await readKeySpending(keys.map(({ id }) => id));
  return keys.map(key => apiKeyToWire(key, spent.get(key.id)));
}

export const apiKeyToWire = (key: ApiKey, spent = 0): ApiKeyWire => ({
  id: key.id,
  name: key.name,
  app: key.app && { returns_to: key.app.returnsTo },
  last_four: key.lastFour,
  created_at: key.createdAt.toISOString(),
  scopes: key.scopes,
  last_used_at: key.lastUsedAt?.toISOString() ?? null,
  last_address: key.lastAddress,
  expires_at: key.expiresAt?.toISOString() ?? null,
  monthly_budget: key.monthlyBudget,
  spent_this_month: spent,
  in_flight_limit: key.inFlightLimit,
  previous: previousOf(key),
  revoked_at: key.revokedAt?.toISOString() ?? null,
});

/** Returns the previous secret while it works, which is never longer than the key itself. */
function previousOf(key: ApiKey): ApiKeyWire['previous'] {
  const { previousLastFour, previousUntil, previousUsedAt, expiresAt, revokedAt } = key;
  if (!previousLastFour || !previousUntil) return null;
  const until = Math.min(...[previousUntil, expiresAt, revokedAt].map(end => end?.getTime() ?? Infinity));
  if (until <= Date.now()) return null;
  const last_used_at = previousUsedAt?.toISOString() ?? null;
  return { last_four: previousLastFour, until: new Date(until).toISOString(), last_used_at };
}
