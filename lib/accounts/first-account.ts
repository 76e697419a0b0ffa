import { eq, sql } from 'drizzle-orm';
import { createAccount, findAccountByEmail } from '#lib/accounts/accounts';
import { createApiKey } from '#lib/accounts/api-keys';
import { setPassword } from '#lib/accounts/sign-ins';
import { db } from '#lib/db/client';
import { accounts } from '#lib/db/schema';
import { newId, randomToken } from '#lib/ids';

/** Credentials of the first operator, shown only once. */
export interface FirstAccount {
  email: string;
  apiKey: string;
  password: string;
}

/**
 * Creates an operator account with one API key and a password and returns both, unless an operator exists already: then
 * null. Of several processes that start concurrently, one creates the account.
 */
export async function ensureFirstAccount(): Promise<FirstAccount | null> {
  return await db().transaction(async tx => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('pomona.first-account'))`);
    const [existing] = await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.operator, true)).limit(1);
    if (existing) return null;
    // an existing account with this address does not become an operator
    const isTaken = await findAccountByEmail('operator@localhost', tx);
    const email = isTaken ? `operator-${newId()}@localhost` : 'operator@localhost';
    const account = await createAccount({ email, name: 'Operator', operator: true }, tx);
    const { key } = await createApiKey(account.id, { name: 'first key' }, tx);
    const password = randomToken(16);
    await setPassword(account, password, tx);
    return { email: account.email, apiKey: key, password };
  });
}
