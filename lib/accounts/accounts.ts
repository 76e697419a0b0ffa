import { eq, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { parseInput } from '#lib/accounts/input';
import { email } from '#lib/contract/sign-in-schemas';
import { gems, line } from '#lib/contract/values';
import { db, type Tx } from '#lib/db/client';
import { accounts, ledger } from '#lib/db/schema';
import { now } from '#lib/db/schema/columns';
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

/** Creates an account. Its starting gems become the first row of its ledger. */
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
    if (!account) throw hasAccount(fields.email);
    if (gems > 0) {
      await tx.insert(ledger).values({ accountId: account.id, kind: 'opening', gems, balanceAfter: gems });
    }
    return account;
  });
}

/** Returns the refusal of an e-mail address that already has an account. */
export function hasAccount(email: string): AppError {
  const message = `An account with the e-mail address ${email} exists already. Sign in to it, or use another address.`;
  return invalid('invalid_request', [{ path: '/email', message }]);
}

/** Lists all accounts, oldest first. */
export const listAccounts = (): Promise<Account[]> => db().select().from(accounts).orderBy(accounts.id);

/** Finds an account by its e-mail address, ignoring case as mail providers do. */
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
  return (await findAccount(id, tx)) ?? noSuchAccount();
}

/** Takes the row lock of an account, which every change of its balance takes first. */
export async function lockAccount(id: string, tx: Tx): Promise<Account> {
  const [account] = isUuid(id) ? await tx.select().from(accounts).where(eq(accounts.id, id)).for('update') : [];
  return account ?? noSuchAccount();
}

/** Updates columns of an account and returns the updated account. */
export async function updateAccount(
  id: string,
  columns: PgUpdateSetSource<typeof accounts>,
  tx: Tx = db(),
): Promise<Account> {
  const [account] = await tx.update(accounts).set(columns).where(eq(accounts.id, id)).returning();
  return account ?? noSuchAccount();
}

/** Marks the e-mail address as verified: the holder has shown that they receive its mail. */
export const noteVerified = (id: string, tx: Tx): Promise<Account> => updateAccount(id, { emailVerifiedAt: now }, tx);

export const renameAccount = (id: string, name: string | null): Promise<Account> => updateAccount(id, { name });

export function noSuchAccount(): never {
  throw new AppError('not_found', 'No such account.');
}
