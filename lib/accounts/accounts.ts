import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { parseInput } from '#lib/accounts/input';
import { email } from '#lib/contract/account-schemas';
import { gems, line } from '#lib/contract/values';
import { db, type Tx } from '#lib/db/client';
import { accounts, ledger } from '#lib/db/schema';
import { env } from '#lib/env';
import { AppError, invalid } from '#lib/errors';
import { isUuid, newId } from '#lib/ids';

export type Account = typeof accounts.$inferSelect;

const NewAccount = z.object({
  email,
  name: line(100).nullish(),
  gems: gems(),
  operator: z.boolean(),
});

/** Opens an account; the gems that it starts with are the first row of its ledger. */
export async function createAccount(
  input: { email: string; name?: string; gems?: number; operator?: boolean },
  tx: Tx = db(),
): Promise<Account> {
  const { gems, ...fields } = parseInput(NewAccount, { gems: env().STARTING_GEMS, operator: false, ...input });
  return await tx.transaction(async tx => {
    const [account] = await tx
      .insert(accounts)
      .values({ id: newId(), ...fields, balance: gems })
      .onConflictDoNothing()
      .returning();
    if (!account) {
      const message = `An account with the e-mail address ${fields.email} exists already. Sign in to it, or use another address.`;
      throw invalid('invalid_request', [{ path: '/email', message }]);
    }
    if (gems > 0) {
      await tx.insert(ledger).values({ accountId: account.id, kind: 'opening', gems, balanceAfter: gems });
    }
    return account;
  });
}

/** All accounts, oldest first. */
export const listAccounts = (): Promise<Account[]> => db().select().from(accounts).orderBy(accounts.id);

/** Letters compare without their case, as mail providers do. */
export async function findAccountByEmail(email: string, tx: Tx = db()): Promise<Account | null> {
  const [account] = await tx
    .select()
    .from(accounts)
    .where(sql`lower(${accounts.email}) = lower(${email.trim()})`);
  return account ?? null;
}

export async function findAccount(id: string, tx: Tx = db()): Promise<Account | null> {
  const [account] = isUuid(id) ? await tx.select().from(accounts).where(eq(accounts.id, id)) : [];
  return account ?? null;
}

export async function getAccount(id: string, tx: Tx = db()): Promise<Account> {
  const account = await findAccount(id, tx);
  if (!account) throw new AppError('not_found', 'No such account.');
  return account;
}

/** The holder showed that they read the mail of the account's address. */
export async function noteVerified(id: string, tx: Tx): Promise<Account> {
  const [account] = await tx
    .update(accounts)
    .set({ emailVerifiedAt: sql`date_trunc('milliseconds', now())` })
    .where(eq(accounts.id, id))
    .returning();
  if (!account) throw new AppError('not_found', 'No such account.');
  return account;
}

export async function renameAccount(id: string, name: string | null): Promise<Account> {
  const [account] = await db().update(accounts).set({ name }).where(eq(accounts.id, id)).returning();
  if (!account) throw new AppError('not_found', 'No such account.');
  return account;
}
