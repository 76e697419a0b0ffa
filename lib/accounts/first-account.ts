import { eq, sql } from 'drizzle-orm';
import { createAccount, findAccountByEmail } from '#lib/accounts/accounts';
import { createApiKey } from '#lib/accounts/api-keys';
import { setPassword } from '#lib/accounts/sign-ins';
import { db } from '#lib/db/client';
import { accounts } from '#lib/db/schema';
import { newId, randomToken } from '#lib/ids';

/** What the operator needs to begin, told this once. */
export interface FirstAccount {
  email: string;
  apiKey: string;
  password: string;
}

/**
 * Opens the operator's account with one key and a password, and returns both this once; null where somebody governs the
 * deployment, as from then on somebody always does. Of several processes that start together one makes it.
 */
export async function ensureFirstAccount(): Promise<FirstAccount | null> {
  return await db().transaction(async tx => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('pomona.first-account'))`);
    const [existing] = await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.operator, true)).limit(1);
    if (existing) return null;
    // whoever made an account of that address before governs nothing by it
    const isTaken = await findAccountByEmail('operator@localhost', tx);
    const email = isTaken ? `operator-${newId()}@localhost` : 'operator@localhost';
    const account = await createAccount({ email, name: 'Operator', operator: true }, tx);
    const { key } = await createApiKey(account.id, { name: 'first key' }, tx);
    const password = randomToken(16);
    await setPassword(account, password, tx);
    return { email: account.email, apiKey: key, password };
  });
}
