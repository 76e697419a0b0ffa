import { decode, encode } from 'next-auth/jwt';
import { env } from '#lib/env';
import { secret } from '#lib/secrets';

/** What a session cookie says, sealed: whose session it is and in which epoch of the account it began. */
export interface SessionToken {
  accountId: string;
  epoch: number;
}

export const SESSION_SECONDS = 30 * 24 * 3600;

export const sessionSecret = (): string => secret('session').toString('hex');

const isSecure = (): boolean => env().BASE_URL.startsWith('https:');

/** As next-auth calls it. */
const sessionCookieName = (): string => `${isSecure() ? '__Secure-' : ''}next-auth.session-token`;

/** The `Set-Cookie` that begins a session, with the same token that next-auth makes. */
export async function beginSession({ id, sessionEpoch }: { id: string; sessionEpoch: number }): Promise<string> {
  const token = await encode({
    token: { sub: id, epoch: sessionEpoch },
    secret: sessionSecret(),
    maxAge: SESSION_SECONDS,
  });
  return cookie(token, SESSION_SECONDS);
}

/** The `Set-Cookie` that ends the session of this browser. */
export const endSession = (): string => cookie('', 0);

const cookie = (value: string, maxAge: number): string =>
  `${sessionCookieName()}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${isSecure() ? '; Secure' : ''}`;

/** Opens the sealed token of a session; null when it is none, or old. */
export async function openSessionToken(text: string): Promise<SessionToken | null> {
  // what is no token of ours is refused by an error
  const token = await decode({ token: text, secret: sessionSecret() }).catch(() => null);
  return token && typeof token.sub === 'string' && typeof token.epoch === 'number'
    ? { accountId: token.sub, epoch: token.epoch }
    : null;
}

/** The sealed token in a `Cookie` header. */
export function findSessionCookie(header: string | null): string | null {
  if (!header) return null;
  const name = `${sessionCookieName()}=`;
  const found = header.split(';').find(part => part.trimStart().startsWith(name));
  return found?.trim().slice(name.length) || null;
}
