import { findSessionHolder, type SessionCaller } from '#lib/accounts/session-callers';
import { findSessionCookie, openSessionToken } from '#lib/auth/session-token';

export type { SessionCaller };

/** Who is signed in in the browser that sent the request; null when nobody is, or the session was ended since. */
export const findSessionCaller = (request: Request): Promise<SessionCaller | null> =>
  findSessionByCookies(request.headers.get('cookie'));

/** The same, from a `Cookie` header alone. */
export async function findSessionByCookies(header: string | null): Promise<SessionCaller | null> {
  const sealed = findSessionCookie(header);
  const token = sealed && (await openSessionToken(sealed));
  return token ? await findSessionHolder(token.accountId, token.epoch) : null;
}
