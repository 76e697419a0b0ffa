import { headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { findAccount, getAccount, type Account } from '#lib/accounts/accounts';
import { findSessionByCookies } from '#lib/auth/session';
import { findSessionToken } from '#lib/auth/session-token';
import { AppError } from '#lib/errors';

// for server components; the one file of lib that knows Next

/** The account that is signed in, or null. */
export async function findPageAccount(): Promise<Account | null> {
  const caller = await findSessionByCookies((await headers()).get('cookie'));
  return caller && (await getAccount(caller.accountId));
}

/** The account that is signed in; whoever is not goes to the sign-in page, and comes back to `path` from there. */
export async function getPageAccount(path?: string): Promise<Account> {
  const account = await findPageAccount();
  if (account) return account;
  if (await isDisabled()) redirect('/sign-in?error=disabled');
  return redirect(path === undefined ? '/sign-in' : `/sign-in?next=${encodeURIComponent(path)}`);
}

/** Whether the session of this browser ended with its account: whoever had it is told why. */
async function isDisabled(): Promise<boolean> {
  const token = await findSessionToken((await headers()).get('cookie'));
  const account = token && (await findAccount(token.accountId));
  return Boolean(account?.disabledAt);
}

/** The operator who is signed in; to others the page does not exist. */
export async function getPageOperator(path?: string): Promise<Account> {
  const account = await getPageAccount(path);
  return account.operator ? account : notFound();
}

/** What a page is about; where that cannot be had, the page does not exist. */
export async function orNotFound<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof AppError) notFound();
    throw error;
  }
}
