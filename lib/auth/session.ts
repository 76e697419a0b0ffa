import { findSessionHolder, type SessionHolder } from '#lib/accounts/session-callers';
import { endSession } from '#lib/accounts/sessions';
import { findSessionToken, type SessionToken } from '#lib/auth/session-token';
import { AppError } from '#lib/errors';

/** Account that is signed in in a browser, with its session. */
export type SessionCaller = SessionHolder & SessionToken;

/** Returns the signed-in caller of a browser request; null without a session, or when the session has ended. */
export const findSessionCaller = (request: Request): Promise<SessionCaller | null> =>
  findSessionByCookies(request.headers.get('cookie'));

/** Like `findSessionCaller`, given only the `Cookie` header. */
export async function findSessionByCookies(header: string | null): Promise<SessionCaller | null> {
  const token = await findSessionToken(header);
  const holder = token && (await findSessionHolder(token));
  return holder && { ...holder, ...token };
}

/** Ends the session of a `Cookie` header on the server, so that copies of the cookie stop working too. */
export async function signOut(header: string | null): Promise<void> {
  const token = await findSessionToken(header);
  if (!token) return;
  await endSession(token.accountId, token.sessionId).catch((error: unknown) => {
    // the session has already ended
    if (!(error instanceof AppError)) throw error;
  });
}
