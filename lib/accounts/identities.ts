import { and, eq } from 'drizzle-orm';
import { createAccount, findAccountByEmail, getAccount, noteVerified, type Account } from '#lib/accounts/accounts';
import { noteHolderAct } from '#lib/accounts/holder-acts';
import { spendInviteFor } from '#lib/accounts/invites';
import { isRecent } from '#lib/accounts/recent-sign-in';
import { noteSignIn, requireEnabled, type SignIn } from '#lib/accounts/sign-ins';
import { notOpen, signsUpByMail } from '#lib/accounts/sign-up';
import { beginning } from '#lib/beginning';
import { SIGN_IN_REFUSALS } from '#lib/contract/sign-in-refusals';
import { line } from '#lib/contract/values';
import { db, type Tx } from '#lib/db/client';
import { accounts, signIns } from '#lib/db/schema';
import { env } from '#lib/env';
import { AppError } from '#lib/errors';
import { newId } from '#lib/ids';

/** A user's identity at an identity provider. */
export interface Identity {
  provider: Exclude<SignIn['provider'], 'password' | 'passkey'>;
  subject: string;
  email: string | null;
  /** Whether the provider has verified that the e-mail address belongs to the user. */
  emailVerified: boolean;
  name: string | null;
}

/**
 * Returns the account of an identity. A new identity is added to the signed-in account, or opens an account if SIGN_UP
 * allows it. Never signs in to an account by a matching e-mail address alone, nor to one other than the signed-in one.
 */
export async function signInWithIdentity(
  given: Identity,
  signedIn: { accountId: string; signedInAt: Date } | null,
): Promise<Account> {
  const identity = requireUsable(given);
  const known = await findByIdentity(identity);
  if (known && signedIn && known.id !== signedIn.accountId)
    throw new AppError('forbidden', SIGN_IN_REFUSALS.other_account);
  const account = known ?? (signedIn ? await getAccount(signedIn.accountId) : await openAccount(identity));
  requireEnabled(account);
  if (!known && signedIn) {
    if (!isRecent(signedIn)) throw new AppError('sign_in_again', SIGN_IN_REFUSALS.sign_in_again);
    await db().transaction(async tx => {
      await addIdentity(account.id, identity, tx);
      const { provider } = identity;
      const sentence = `Sign-in with ${provider} was added to your account.`;
      await noteHolderAct(account, { act: 'sign_in.add', sentence, after: { provider } }, tx);
    });
  }
  await noteSignIn(identity.provider, identity.subject);
  return account;
}

const PLAIN = /^\P{Cc}+$/u;

/** Throws when the provider's subject cannot be stored. Sets an unusable e-mail address or name to null. */
function requireUsable({ subject, email, name, ...rest }: Identity): Identity {
  if (typeof subject !== 'string' || subject.length > 255 || !PLAIN.test(subject) || !subject.isWellFormed())
    throw new AppError('forbidden', SIGN_IN_REFUSALS.bad_identity);
  return {
    ...rest,
    subject,
    email: email && PLAIN.test(email) ? email : null,
    name: (name && line(100).safeParse(beginning(name, 100)).data) || null,
  };
}

async function findByIdentity({ provider, subject }: Identity): Promise<Account | null> {
  const [found] = await db()
    .select({ account: accounts })
    .from(signIns)
    .innerJoin(accounts, eq(accounts.id, signIns.accountId))
    .where(and(eq(signIns.provider, provider), eq(signIns.subject, subject)));
  return found?.account ?? null;
}

async function openAccount(identity: Identity): Promise<Account> {
  const { email, emailVerified, name } = identity;
  if (!email) throw new AppError('forbidden', SIGN_IN_REFUSALS.no_email);
  if (await findAccountByEmail(email)) throw new AppError('forbidden', SIGN_IN_REFUSALS.account_exists);
  return await db().transaction(async tx => {
    // where sign-ups verify the address by mail, an address that the provider has not verified is not accepted either
    if (!emailVerified && signsUpByMail()) throw new AppError('forbidden', SIGN_IN_REFUSALS.unverified);
    const welcome = env().SIGN_UP === 'open' || (emailVerified && (await spendInviteFor(email, tx)));
    if (!welcome) throw notOpen();
    const account = await createAccount({ email, ...(name && { name }) }, tx);
    await addIdentity(account.id, identity, tx);
    return emailVerified ? await noteVerified(account.id, tx) : account;
  });
}

const addIdentity = async (accountId: string, { provider, subject }: Identity, tx: Tx): Promise<void> =>
  void (await tx.insert(signIns).values({ id: newId(), accountId, provider, subject }));
