import { createAccount } from '#lib/accounts/accounts';
import { createApiKey } from '#lib/accounts/api-keys';
import { verifyApiKey, type Caller } from '#lib/accounts/callers';
import { newId } from '#lib/ids';

// For tests: who calls.

interface Limits {
  monthlyBudget?: number;
  inFlightLimit?: number;
}

/** Somebody new with so many gems, by a key. */
export const accountWith = async (gems: number, limits: Limits = {}): Promise<Caller> =>
  keyFor((await createAccount({ email: `${newId()}@example.com`, gems })).id, limits);

/** Another key of an account. */
export const keyFor = async (accountId: string, limits: Limits = {}): Promise<Caller> =>
  (await verifyApiKey((await createApiKey(accountId, { name: 'test', ...limits })).key)) as Caller;
