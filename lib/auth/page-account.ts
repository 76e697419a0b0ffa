import { cookies, headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { findAccount, getAccount, type Account } from '#lib/accounts/accounts';
import { isSecure } from '#lib/auth/cookies';
import { PAGE_ADDRESS } from '#lib/auth/page-address';
import { findSessionByCookies } from '#lib/auth/session';
import { findSessionToken } from '#lib/auth/session-token';
import { AppError } from '#lib/errors';

// for server components; the only file in lib that depends on Next

/** Returns the signed-in account, or null. */
export async function findPageAccount(): Promise<Account | null> {
  const caller = await findSessionByCookies((await headers()).get('cookie'));
  return caller && (await getAccount(caller.accountId));
}

/** Maximum length of the return address: proxies buffer response headers in 4 KB, and a redirect contains it twice. */
const LONGEST = 1_000;

/** Returns the signed-in account. Redirects anyone else to the sign-in page, which returns them here afterwards. */
export async function getPageAccount(): Promise<Account> {
  const account = await findPageAccount();
  if (account) return account;
  if (await isDisabled()) redirect('/sign-in?error=disabled');
  const address = (await headers()).get(PAGE_ADDRESS) ?? '';
  // falls back to the page without its query when the full address is too long
  const ways = [address, address.replace(/\?.*/s, '')].map(encodeURIComponent);
  const next = ways.find(way => way.length <= LONGEST);
  return redirect(next ? `/sign-in?next=${next}` : '/sign-in');
}

/** Returns the page that a failed sign-in through a provider should have led to, from the cookie of next-auth. */
export async function findWayBack(): Promise<string | undefined> {
  const name = `${isSecure() ? '__Secure-' : ''}next-auth.callback-url`;
  const address = URL.parse((await cookies()).get(name)?.value ?? '');
  return address ? address.pathname + address.search + address.hash : undefined;
}

/** Whether the account of this browser's session is disabled, so that the sign-in page can say so. */
async function isDisabled(): Promise<boolean> {
  const token = await findSessionToken((await headers()).get('cookie'));
  const account = token && (await findAccount(token.accountId));
  return Boolean(account?.disabledAt);
}

/** Returns the signed-in operator. Shows the not-found page to other accounts. */
export async function getPageOperator(): Promise<Account> {
  const account = await getPageAccount();
  return account.operator ? account : notFound();
}

/** Returns what a page reads, or shows the not-found page when reading fails with an `AppError`. */
export async function orNotFound<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof AppError) notFound();
    throw error;
  }
}
