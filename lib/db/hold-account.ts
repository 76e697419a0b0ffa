import { eq } from 'drizzle-orm';
import type { Tx } from '#lib/db/client';
import { accounts } from '#lib/db/schema';

/**
 * Locks an account until the transaction ends. A transaction that also locks rows of the account must call this first,
 * in the order of an account deletion, to avoid deadlocks. 'no key update' also excludes other transactions that count
 * what the account has. Returns false when the account no longer exists.
 */
export async function holdAccount(
  id: string,
  tx: Tx,
  strength: 'key share' | 'no key update' = 'key share',
): Promise<boolean> {
  const [held] = await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, id)).for(strength);
  return held !== undefined;
}
