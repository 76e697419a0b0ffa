import { and, eq } from 'drizzle-orm';
import { lockAccount } from '#lib/accounts/accounts';
import { noteHolderAct, type Holder } from '#lib/accounts/holder-acts';
import type { SignIn } from '#lib/accounts/sign-ins';
import { db } from '#lib/db/client';
import { signIns } from '#lib/db/schema';
import { AppError } from '#lib/errors';
import { isUuid } from '#lib/ids';

/**
 * Removes a way to sign in, but never the last usable one. `open` lists the providers configured for this deployment:
 * an identity at any other provider cannot be used to sign in.
 */
export async function removeSignIn(account: Holder, id: string, open: readonly string[]): Promise<void> {
  const owned = eq(signIns.accountId, account.id);
  await db().transaction(async tx => {
    // locked, so that of two concurrent removals the second one sees the first
    await lockAccount(account.id, tx);
    const [gone] = isUuid(id)
      ? await tx
          .delete(signIns)
          .where(and(eq(signIns.id, id), owned))
          .returning()
      : [];
    if (!gone) throw new AppError('not_found', 'The account has no such way to sign in.');
    const left = await tx.select({ provider: signIns.provider }).from(signIns).where(owned);
    if (!left.some(({ provider }) => ['password', 'passkey', ...open].includes(provider)))
      throw new AppError('invalid_request', 'This is the only way into the account. Add another one first.');
    const before = { provider: gone.provider, ...(gone.name && { name: gone.name }) };
    const sentence = `${nameOf(gone)} was removed from your account.`;
    await noteHolderAct(account, { act: 'sign_in.remove', sentence, before }, tx);
  });
}

const nameOf = ({ provider, name }: SignIn): string =>
  provider === 'passkey'
    ? `The passkey “${name}”`
    : provider === 'password'
      ? 'The password'
      : `Sign-in with ${provider}`;
