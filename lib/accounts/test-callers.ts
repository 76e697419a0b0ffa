import { createAccount } from '#lib/accounts/accounts';
import { createApiKey } from '#lib/accounts/api-keys';
import { verifyApiKey, type Caller } from '#lib/accounts/callers';
import { newId } from '#lib/ids';

// callers for tests

interface Limits {
  monthlyBudget?: number;
  inFlightLimit?: number;
}

/** Creates an account with that many gems and returns the caller of a new key. */
export const accountWith = async (gems: number, limits: Limits = {}): Promise<Caller> =>
  keyFor((await createAccount({ email: `${newId()}@example.com`, gems })).id, limits);

/** Creates a key for an account and returns its caller. */
export const keyFor = async (accountId: string, limits: Limits = {}): Promise<Caller> =>
  (await verifyApiKey((await createApiKey(accountId, { name: 'test', ...limits })).key)) as Caller;
