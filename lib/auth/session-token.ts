import { decode, encode } from 'next-auth/jwt';
import { makeDeviceToken } from '#lib/accounts/known-device';
import { openSession, SESSION_SECONDS } from '#lib/accounts/sessions';
import { findCookie, isSecure, makeCookie } from '#lib/auth/cookies';
import { isUuid } from '#lib/ids';
import { secret } from '#lib/secrets';

/** Contents of the encrypted session cookie. */
export interface SessionToken {
  accountId: string;
  sessionId: string;
  signedInAt: Date;
}

/** Headers and network address of the browser that sent a request. */
export interface Browser {
  headers: { cookie?: string | undefined; 'user-agent'?: string | undefined };
  address: string;
}

/** Transaction of a sign-in in progress. */
type Tx = Parameters<typeof openSession>[3];

const DEVICE_COOKIE = 'pomona-device';
const DEVICE_SECONDS = 365 * 24 * 3600;

export const sessionSecret = (): string => secret('session').toString('hex');

/** Returns the name of the session cookie, which next-auth determines. */
const sessionCookieName = (): string => `${isSecure() ? '__Secure-' : ''}next-auth.session-token`;

/** Opens a session and returns the claims that next-auth encrypts into its cookie together with the time. */
export async function sessionClaims(accountId: string, { headers, address }: Browser, tx?: Tx) {
  const previous = await findSessionToken(headers.cookie ?? null);
  const device = { userAgent: headers['user-agent'] ?? '', address };
  return { sub: accountId, sid: await openSession(accountId, device, previous?.sessionId ?? null, tx) };
}

/** Opens a session and returns its `Set-Cookie` headers: the same token that next-auth issues, and the device token. */
export async function beginSession(accountId: string, browser: Browser, tx?: Tx): Promise<string[]> {
  const claims = await sessionClaims(accountId, browser, tx);
  const token = await encode({ token: claims, secret: sessionSecret(), maxAge: SESSION_SECONDS });
  return [
    makeCookie(sessionCookieName(), token, SESSION_SECONDS),
    makeCookie(DEVICE_COOKIE, makeDeviceToken(accountId), DEVICE_SECONDS, '/api/session'),
  ];
}

/** Returns the device token in a `Cookie` header. */
export const findDeviceToken = (header: string | null): string | null => findCookie(header, DEVICE_COOKIE);

/** Returns the `Set-Cookie` header that removes the session cookie. */
export const dropSession = (): string => makeCookie(sessionCookieName(), '', 0);

/** Returns the decrypted session token of a `Cookie` header; null when missing, invalid or expired. */
export async function findSessionToken(header: string | null): Promise<SessionToken | null> {
  const sealed = findCookie(header, sessionCookieName());
  if (!sealed) return null;
  // `decode` throws on a token that this deployment did not issue
  const token = await decode({ token: sealed, secret: sessionSecret() }).catch(() => null);
  const { sub, sid, iat } = token ?? {};
  return typeof sub === 'string' && typeof sid === 'string' && typeof iat === 'number' && isUuid(sub) && isUuid(sid)
    ? { accountId: sub, sessionId: sid, signedInAt: new Date(iat * 1000) }
    : null;
}
