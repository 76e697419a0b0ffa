import { findSessionHolder, type SessionHolder } from '#lib/accounts/session-callers';
import { endSession } from '#lib/accounts/sessions';
import { findSessionToken, type SessionToken } from '#lib/auth/session-token';
import { AppError } from '#lib/errors';

/** The account that is signed in in a browser, and the session there. */
export type SessionCaller = SessionHolder & SessionToken;

/** Who is signed in in the browser that sent the request; null when nobody is, or the session was ended since. */
export const findSessionCaller = (request: Request): Promise<SessionCaller | null> =>
  findSessionByCookies(request.headers.get('cookie'));

/** The same, from a `Cookie` header alone. */
export async function findSessionByCookies(header: string | null): Promise<SessionCaller | null> {
  const token = await findSessionToken(header);
  const holder = token && (await findSessionHolder(token));
  return holder && { ...holder, ...token };
}

/** Ends the session of a `Cookie` header, for whoever else has the cookie too. */
export async function signOut(header: string | null): Promise<void> {
  const token = await findSessionToken(header);
  if (!token) return;
  await endSession(token.accountId, token.sessionId).catch((error: unknown) => {
    // signed out twice is signed out
    if (!(error instanceof AppError)) throw error;
  });
}
