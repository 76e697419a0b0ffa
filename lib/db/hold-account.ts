import { eq } from 'drizzle-orm';
import type { Tx } from '#lib/db/client';
import { accounts } from '#lib/db/schema';

/**
 * Keeps an account until the transaction ends. Before rows of its, whoever will need both takes this, as whoever deletes the account
 * does: they would wait for each other. With 'no key update' nobody else counts meanwhile what the account has. False when it is gone.
 */
export async function holdAccount(
  id: string,
  tx: Tx,
  strength: 'key share' | 'no key update' = 'key share',
): Promise<boolean> {
  const [held] = await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, id)).for(strength);
  return held !== undefined;
}
