import { endSession, findSessionHolder, type SessionCaller } from '#lib/accounts/session-callers';
import { findSessionToken, SESSION_SECONDS } from '#lib/auth/session-token';

export type { SessionCaller };

/** Who is signed in in the browser that sent the request; null when nobody is, or the session was ended since. */
export const findSessionCaller = (request: Request): Promise<SessionCaller | null> =>
  findSessionByCookies(request.headers.get('cookie'));

/** The same, from a `Cookie` header alone. */
export async function findSessionByCookies(header: string | null): Promise<SessionCaller | null> {
  const token = await findSessionToken(header);
  return token && (await findSessionHolder(token));
}

/** Ends the session of a `Cookie` header, for whoever else has the cookie too. */
export async function signOut(header: string | null): Promise<void> {
  const token = await findSessionToken(header);
  if (token) await endSession(token.sessionId, new Date(Date.now() + SESSION_SECONDS * 1000));
}
