import { decode, encode } from 'next-auth/jwt';
import { makeDeviceToken } from '#lib/accounts/known-device';
import { openSession, SESSION_SECONDS } from '#lib/accounts/sessions';
import { findCookie, isSecure, makeCookie } from '#lib/auth/cookies';
import { isUuid } from '#lib/ids';
import { secret } from '#lib/secrets';

/** What a session cookie says, sealed. */
export interface SessionToken {
  accountId: string;
  sessionId: string;
  signedInAt: Date;
}

/** The browser of a request: its headers, and where it is. */
export interface Browser {
  headers: { cookie?: string | undefined; 'user-agent'?: string | undefined };
  address: string;
}

/** The transaction of a sign-in that is not over yet. */
type Tx = Parameters<typeof openSession>[3];

const DEVICE_COOKIE = 'pomona-device';
const DEVICE_SECONDS = 365 * 24 * 3600;

export const sessionSecret = (): string => secret('session').toString('hex');

/** As next-auth calls it. */
const sessionCookieName = (): string => `${isSecure() ? '__Secure-' : ''}next-auth.session-token`;

/** Signs the browser in, and gives the members that next-auth seals for us, with the time of it. */
export async function sessionClaims(accountId: string, { headers, address }: Browser, tx?: Tx) {
  const previous = await findSessionToken(headers.cookie ?? null);
  const device = { userAgent: headers['user-agent'] ?? '', address };
  return { sub: accountId, sid: await openSession(accountId, device, previous?.sessionId ?? null, tx) };
}

/** The `Set-Cookie`s that sign the browser in, with the same token that next-auth makes, and make it known. */
export async function beginSession(accountId: string, browser: Browser, tx?: Tx): Promise<string[]> {
  const claims = await sessionClaims(accountId, browser, tx);
  const token = await encode({ token: claims, secret: sessionSecret(), maxAge: SESSION_SECONDS });
  return [
    makeCookie(sessionCookieName(), token, SESSION_SECONDS),
    makeCookie(DEVICE_COOKIE, makeDeviceToken(accountId), DEVICE_SECONDS, '/api/session'),
  ];
}

/** What this browser is known by, in a `Cookie` header. */
export const findDeviceToken = (header: string | null): string | null => findCookie(header, DEVICE_COOKIE);

/** The `Set-Cookie` that takes the session from this browser. */
export const dropSession = (): string => makeCookie(sessionCookieName(), '', 0);

/** The sealed token in a `Cookie` header, opened; null when there is none of ours, or it is old. */
export async function findSessionToken(header: string | null): Promise<SessionToken | null> {
  const sealed = findCookie(header, sessionCookieName());
  if (!sealed) return null;
  // what is no token of ours is refused by an error
  const token = await decode({ token: sealed, secret: sessionSecret() }).catch(() => null);
  const { sub, sid, iat } = token ?? {};
  return typeof sub === 'string' && typeof sid === 'string' && typeof iat === 'number' && isUuid(sub) && isUuid(sid)
    ? { accountId: sub, sessionId: sid, signedInAt: new Date(iat * 1000) }
    : null;
}
