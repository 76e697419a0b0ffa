import { and, eq, ne } from 'drizzle-orm';
import { findAccountByEmail, getAccount, noteVerified, type Account } from '#lib/accounts/accounts';
import { noteHolderAct } from '#lib/accounts/holder-acts';
import { canSendMail, inBackground, sendMail } from '#lib/accounts/mail';
import { andNext, makeSecretLink, spendSecretLink } from '#lib/accounts/secret-links';
import { requireEnabled, setPassword } from '#lib/accounts/sign-ins';
import { countAttempt, forgetAttempts } from '#lib/accounts/throttle';
import type { WayInWire } from '#lib/contract/sign-in-schemas';
import { db, type Tx } from '#lib/db/client';
import { secondSteps, signIns } from '#lib/db/schema';
import { env } from '#lib/env';
import { AppError, invalid } from '#lib/errors';

const MINUTES = 60;

/** Creates a link for choosing a new password, which works once and for an hour. */
export async function makeResetLink(
  accountId: string,
  { mailed = false, tx = db() }: { mailed?: boolean; tx?: Tx } = {},
): Promise<{ url: string; expiresAt: Date }> {
  const link = { kind: 'password_reset', accountId, mailed, seconds: MINUTES * 60 } as const;
  const { token, expiresAt } = await makeSecretLink(link, tx);
  return { url: `${env().BASE_URL}/reset-password?token=${token}`, expiresAt };
}

/** Mails a reset link if the account exists. The response and its time do not reveal whether it does. */
export async function askPasswordReset({ email, next }: WayInWire, address: string): Promise<void> {
  if (!canSendMail()) {
    throw new AppError('forbidden', 'This deployment sends no mail. Ask the operator for a link to a new password.');
  }
  await countAttempt('LIMIT_RESETS_PER_ADDRESS', address);
  // counted separately, so that sign-ups and address changes requested by others cannot lock the owner out
  await countAttempt('LIMIT_RESETS_PER_ACCOUNT', `reset ${email}`);
  inBackground(mailResetLink({ email, next }));
}

async function mailResetLink({ email, next }: WayInWire): Promise<void> {
  const account = await findAccountByEmail(email);
  if (!account || account.disabledAt) return;
  const { url } = await makeResetLink(account.id, { mailed: true });
  await sendMail({
    kind: 'reset',
    to: account.email,
    subject: 'A new password for Pomona',
    text: `Open this link within ${MINUTES} minutes to choose a new password:\n\n${url}${andNext(next, '&')}\n\nIf you did not ask for this, you can ignore it.\n`,
  });
}

/** Sets a new password for the account of the link, which ends its sessions and its other links. */
export async function resetPassword(token: string, password: string, address: string): Promise<Account> {
  await countAttempt('LIMIT_RESETS_PER_ADDRESS', address);
  const account = await db().transaction(async tx => {
    const link = await spendSecretLink('password_reset', token, tx);
    if (!link?.accountId) {
      throw invalid('invalid_request', [
        { path: '/token', message: 'This link was used or has expired. Ask for a new one.' },
      ]);
    }
    const account = await getAccount(link.accountId, tx);
    requireEnabled(account);
    const isFirst = link.mailed && account.emailVerifiedAt === null;
    if (isFirst) await dropOtherWaysIn(account.id, tx);
    if (link.mailed) await noteVerified(account.id, tx);
    await setPassword(account, password, tx);
    await noteHolderAct(account, { act: 'password.reset', sentence: isFirst ? `${CHOSEN} ${SHOWN}` : CHOSEN }, tx);
    return account;
  });
  const { email } = account;
  for (const who of [email, `devices ${email}`]) await forgetAttempts('LIMIT_PASSWORDS_PER_ACCOUNT', who);
  return account;
}

const CHOSEN = 'A new password was set for your account with a link.';
const SHOWN =
  'It confirmed for the first time that the address is yours, so other ways to sign in, and a second step, were removed. API keys, apps and webhooks keep working: check them, and remove those you do not know.';

/**
 * Removes all other ways to sign in, since someone other than the owner of the address may have opened the account.
 * API keys stay, because programs of an account that an operator created depend on them.
 */
async function dropOtherWaysIn(accountId: string, tx: Tx): Promise<void> {
  await tx.delete(secondSteps).where(eq(secondSteps.accountId, accountId));
  await tx.delete(signIns).where(and(eq(signIns.accountId, accountId), ne(signIns.provider, 'password')));
}
