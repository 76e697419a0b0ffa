import { decode, encode } from 'next-auth/jwt';
import { makeDeviceToken } from '#lib/accounts/known-device';
import { findCookie, isSecure, makeCookie } from '#lib/auth/cookies';
import { isUuid, newId } from '#lib/ids';
import { secret } from '#lib/secrets';

/** What a session cookie says, sealed. */
export interface SessionToken {
  accountId: string;
  /** Of the account, in which the session began. */
  epoch: number;
  sessionId: string;
}

export const SESSION_SECONDS = 30 * 24 * 3600;
const DEVICE_COOKIE = 'pomona-device';
const DEVICE_SECONDS = 365 * 24 * 3600;

export const sessionSecret = (): string => secret('session').toString('hex');

/** As next-auth calls it. */
const sessionCookieName = (): string => `${isSecure() ? '__Secure-' : ''}next-auth.session-token`;

/** The members that next-auth seals for us. */
export const sessionClaims = ({ id, sessionEpoch }: { id: string; sessionEpoch: number }) => ({
  sub: id,
  epoch: sessionEpoch,
  sid: newId(),
});

/** The `Set-Cookie`s that begin a session, with the same token that next-auth makes, and make this browser known. */
export async function beginSession(account: { id: string; sessionEpoch: number }): Promise<string[]> {
  const token = await encode({ token: sessionClaims(account), secret: sessionSecret(), maxAge: SESSION_SECONDS });
  return [
    makeCookie(sessionCookieName(), token, SESSION_SECONDS),
    makeCookie(DEVICE_COOKIE, makeDeviceToken(account.id), DEVICE_SECONDS, '/api/session'),
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
  const { sub, epoch, sid } = token ?? {};
  return typeof sub === 'string' && typeof epoch === 'number' && typeof sid === 'string' && isUuid(sub) && isUuid(sid)
    ? { accountId: sub, epoch, sessionId: sid }
    : null;
}
