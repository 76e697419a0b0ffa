import { createAccount, type Account } from '#lib/accounts/accounts';
import { spendSecretLink } from '#lib/accounts/secret-links';
import { setPassword } from '#lib/accounts/sign-ins';
import { countAttempt } from '#lib/accounts/throttle';
import { requireGoodPassword } from '#lib/accounts/passwords';
import { SIGN_IN_REFUSALS } from '#lib/contract/sign-in-refusals';
import { db, type Tx } from '#lib/db/client';
import { env } from '#lib/env';
import { AppError } from '#lib/errors';

export interface NewSignUp {
  email: string;
  name?: string | null | undefined;
  password: string;
  /** The token of an invitation link. */
  invite?: string | undefined;
}

/** Opens an account with a password, as far as SIGN_UP lets. Throws `forbidden` where it does not. */
export async function signUp({ email, name, password, invite }: NewSignUp, address: string): Promise<Account> {
  await countAttempt('LIMIT_SIGN_UPS_PER_ADDRESS', address);
  requireGoodPassword(password, email);
  return await db().transaction(async tx => {
    await requireWelcome(email, invite, tx);
    const account = await createAccount({ email, ...(name && { name }) }, tx);
    return await setPassword(account, password, tx);
  });
}

/** An invitation lets in whatever SIGN_UP says, and only whom it names when it names someone. */
async function requireWelcome(email: string, invite: string | undefined, tx: Tx): Promise<void> {
  if (invite !== undefined) {
    const used = await spendSecretLink('invite', invite, tx);
    if (!used)
      throw new AppError('forbidden', 'This invitation was used, withdrawn or is over. Ask the operator for another.');
    if (used.email === null || used.email.toLowerCase() === email.trim().toLowerCase()) return;
    throw new AppError('forbidden', 'This invitation is for another e-mail address.');
  }
  if (env().SIGN_UP !== 'open') throw notOpen();
}

export const notOpen = () =>
  new AppError('forbidden', SIGN_IN_REFUSALS[env().SIGN_UP === 'invite' ? 'invite_only' : 'sign_up_closed']);
