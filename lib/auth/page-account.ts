import { cookies, headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { findAccount, getAccount, type Account } from '#lib/accounts/accounts';
import { isSecure } from '#lib/auth/cookies';
import { PAGE_ADDRESS } from '#lib/auth/page-address';
import { findSessionByCookies } from '#lib/auth/session';
import { findSessionToken } from '#lib/auth/session-token';
import { AppError } from '#lib/errors';

// for server components; the one file of lib that knows Next

/** The account that is signed in, or null. */
export async function findPageAccount(): Promise<Account | null> {
  const caller = await findSessionByCookies((await headers()).get('cookie'));
  return caller && (await getAccount(caller.accountId));
}

/** Characters of the way back: proxies hold the headers of an answer in 4 KB, and a redirect names it twice. */
const LONGEST = 1_000;

/** The account that is signed in; whoever is not goes to the sign-in page, and comes back from there to where they were going. */
export async function getPageAccount(): Promise<Account> {
  const account = await findPageAccount();
  if (account) return account;
  if (await isDisabled()) redirect('/sign-in?error=disabled');
  const address = (await headers()).get(PAGE_ADDRESS) ?? '';
  // at least to the page, where it was asked for too much
  const ways = [address, address.replace(/\?.*/s, '')].map(encodeURIComponent);
  const next = ways.find(way => way.length <= LONGEST);
  return redirect(next ? `/sign-in?next=${next}` : '/sign-in');
}

/** The page that a sign-in through a provider was to lead to, when it went wrong on the way: next-auth remembers it. */
export async function findWayBack(): Promise<string | undefined> {
  const name = `${isSecure() ? '__Secure-' : ''}next-auth.callback-url`;
  const address = URL.parse((await cookies()).get(name)?.value ?? '');
  return address ? address.pathname + address.search + address.hash : undefined;
}

/** Whether the session of this browser ended with its account: whoever had it is told why. */
async function isDisabled(): Promise<boolean> {
  const token = await findSessionToken((await headers()).get('cookie'));
  const account = token && (await findAccount(token.accountId));
  return Boolean(account?.disabledAt);
}

/** The operator who is signed in; to others the page does not exist. */
export async function getPageOperator(): Promise<Account> {
  const account = await getPageAccount();
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
