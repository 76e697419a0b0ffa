import { createAccount, findAccountByEmail, noteVerified, type Account } from '#lib/accounts/accounts';
import { createInvite } from '#lib/accounts/invites';
import { canSendMail, inBackground, sendMail } from '#lib/accounts/mail';
import { andNext, spendSecretLink, type SecretLink } from '#lib/accounts/secret-links';
import { noteSignIn, setPassword } from '#lib/accounts/sign-ins';
import { countAttempt } from '#lib/accounts/throttle';
import { requireGoodPassword } from '#lib/accounts/passwords';
import type { WayInWire } from '#lib/contract/sign-in-schemas';
import { SIGN_IN_REFUSALS } from '#lib/contract/sign-in-refusals';
import { db, type Tx } from '#lib/db/client';
import { env } from '#lib/env';
import { AppError } from '#lib/errors';

interface NewSignUp {
  email: string;
  name?: string | null | undefined;
  password: string;
  /** Token of an invitation link. */
  invite?: string | undefined;
}

/** Whether a sign-up must first verify the e-mail address with a mailed link. */
export const signsUpByMail = (): boolean => env().SIGN_UP === 'open' && canSendMail();

/** Creates an account with a password. Throws `forbidden` where SIGN_UP does not allow it. */
export async function signUp({ email, name, password, invite }: NewSignUp, address: string): Promise<Account> {
  await countAttempt('LIMIT_SIGN_UPS_PER_ADDRESS', address);
  requireGoodPassword(password, email);
  return await db().transaction(async tx => {
    const link = await requireWelcome(email, invite, tx);
    if (await findAccountByEmail(email, tx)) throw notThisAddress();
    const account = await createAccount({ email, ...(name && { name }) }, tx);
    await setPassword(account, password, tx);
    await noteSignIn('password', account.id, tx);
    return link?.mailed ? await noteVerified(account.id, tx) : account;
  });
}

/**
 * Mails a sign-up link to the address, or a notice if it has an account already. The response and its time do not
 * reveal which of the two was sent.
 */
export async function askSignUp({ email, next }: WayInWire, address: string): Promise<void> {
  if (!signsUpByMail()) throw notOpen();
  await countAttempt('LIMIT_SIGN_UPS_PER_ADDRESS', address);
  await countAttempt('LIMIT_RESETS_PER_ACCOUNT', `sign-up ${email}`);
  inBackground(mailSignUp({ email, next }));
}

async function mailSignUp({ email, next }: WayInWire): Promise<void> {
  const { BASE_URL } = env();
  const known = await findAccountByEmail(email);
  const text = known
    ? `There is already an account with this address. Sign in to it, or choose a new password:\n\n${BASE_URL}/sign-in${andNext(next, '?')}\n`
    : `Open this link within a day to choose a password:\n\n${(await createInvite({ email, days: 1, mailed: true })).url}${andNext(next, '&')}\n`;
  await sendMail({
    kind: 'sign-up',
    to: known?.email ?? email.trim(),
    subject: 'Your account at Pomona',
    text: `${text}\nIf you did not ask for this, you can ignore it.\n`,
  });
}

/** Returns a refusal that does not reveal whether the address has an account. */
function notThisAddress(): AppError {
  const message = 'No account can be opened with this address. If it is yours, sign in; otherwise use another one.';
  return new AppError('invalid_request', message, { issues: [{ path: '/email', message }] });
}

/** Throws unless the sign-up is allowed. An invitation overrides SIGN_UP, if for an address only for that one. */
async function requireWelcome(email: string, invite: string | undefined, tx: Tx): Promise<SecretLink | null> {
  if (invite !== undefined) {
    const used = await spendSecretLink('invite', invite, tx);
    if (!used)
      throw new AppError(
        'forbidden',
        'This invitation was used or withdrawn, or has expired. Ask the operator for another.',
      );
    if (used.email === null || used.email.toLowerCase() === email.trim().toLowerCase()) return used;
    throw new AppError('forbidden', 'This invitation is for another e-mail address.');
  }
  if (env().SIGN_UP !== 'open') throw notOpen();
  if (signsUpByMail())
    throw new AppError('forbidden', 'Ask for a link by mail first: it confirms that the address is yours.');
  return null;
}

export const notOpen = () =>
  new AppError('forbidden', SIGN_IN_REFUSALS[env().SIGN_UP === 'invite' ? 'invite_only' : 'sign_up_closed']);
