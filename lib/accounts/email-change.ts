import { findAccountByEmail, lockAccount, updateAccount, type Account } from '#lib/accounts/accounts';
import { noteHolderAct } from '#lib/accounts/holder-acts';
import { canSendMail, inBackground, sendMail } from '#lib/accounts/mail';
import { makeSecretLink, spendLinksOf, spendSecretLink } from '#lib/accounts/secret-links';
import { countAttempt } from '#lib/accounts/throttle';
import { db, type Tx } from '#lib/db/client';
import { now } from '#lib/db/schema/columns';
import { UNIQUE_VIOLATION } from '#lib/db/sql-states';
import { env } from '#lib/env';
import { AppError, causesOf, invalid } from '#lib/errors';

const DAY = 86_400;

/**
 * Creates a link that changes the e-mail address of an account, once and within a day. Invalidates earlier links.
 * `mailed`: whether the link is sent to the new address, so that using it verifies the address.
 */
export async function makeEmailLink(
  accountId: string,
  email: string,
  { mailed = false, tx = db() }: { mailed?: boolean; tx?: Tx } = {},
): Promise<{ url: string; expiresAt: Date }> {
  await spendLinksOf(accountId, tx, 'email');
  const link = { kind: 'email', accountId, email, mailed, seconds: DAY } as const;
  const { token, expiresAt } = await makeSecretLink(link, tx);
  return { url: `${env().BASE_URL}/verify-email?token=${token}`, expiresAt };
}

/** Mails a link to the new address. The response and its time do not reveal whether another account has the address. */
export async function askEmailChange(account: Account, email: string): Promise<void> {
  if (!canSendMail())
    throw new AppError('forbidden', 'This deployment sends no mail. Ask the operator for a link to another address.');
  await countAttempt('LIMIT_RESETS_PER_ACCOUNT', `from ${account.id}`);
  await countAttempt('LIMIT_RESETS_PER_ACCOUNT', `address ${email}`);
  inBackground(mailLink(account, email));
}

async function mailLink({ id }: Account, email: string): Promise<void> {
  const known = await findAccountByEmail(email);
  const text =
    known && known.id !== id
      ? 'Someone asked to use this address for their account. Another account has it already, so nothing was changed.\n'
      : `Open this link within a day, in a browser where you are signed in, to use this address:\n\n${(await makeEmailLink(id, email, { mailed: true })).url}\n\nIf you did not ask for this, you can ignore it.\n`;
  await sendMail({ kind: 'address', to: email, subject: 'Your address at Pomona', text });
}

/**
 * Changes the account's address to that of the link, invalidates its password reset links and notifies the old address.
 * The account must be signed in, so that the link is useless to anyone else who receives it.
 */
export async function changeEmail(accountId: string, token: string, address: string): Promise<Account> {
  await countAttempt('LIMIT_RESETS_PER_ADDRESS', address);
  return await db().transaction(async tx => {
    const link = await spendSecretLink('email', token, tx);
    if (!link?.email || link.accountId !== accountId)
      throw refusedLink('This link was used, has expired, or is for another account. Ask for a new one.');
    const { email } = link;
    const before = await lockAccount(accountId, tx);
    const holder = await findAccountByEmail(email, tx);
    if (holder && holder.id !== accountId) throw taken();
    const emailVerifiedAt = link.mailed ? now : null;
    const after = await updateAccount(accountId, { email, emailVerifiedAt }, tx).catch((error: unknown) => {
      // another account has taken the address since the check above
      throw causesOf(error).some(({ code }) => code === UNIQUE_VIOLATION) ? taken() : error;
    });
    if (before.email === email) return after;
    await spendLinksOf(accountId, tx, 'password_reset');
    const sentence = `The e-mail address of your account is now ${email}.`;
    const facts = { before: { email: before.email }, after: { email } };
    await noteHolderAct(before, { act: 'account.email', sentence, ...facts }, tx);
    return after;
  });
}

const taken = () => refusedLink('No account can take this address any more.');

const refusedLink = (message: string) => invalid('invalid_request', [{ path: '/token', message }]);
