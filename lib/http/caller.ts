import { OTHER_HERE, SIGNED_OUT } from '#lib/contract/session-words';
import { AppError, nothingHere } from '#lib/errors';
import { verifyApiKey, verifyApiKeyAnd, type Beside, type Caller, type FoundBeside } from '#lib/accounts/callers';
import { requireRecentSignIn } from '#lib/accounts/recent-sign-in';
import { countAttempt } from '#lib/accounts/throttle';
import type { Scope } from '#lib/scopes';
import { findSessionCaller, type SessionCaller } from '#lib/auth/session';
import { clientAddress } from '#lib/http/client-address';
import { isSameOrigin, requireSameOrigin } from '#lib/http/same-origin';

/**
 * Who asks: the holder of the API key in `Authorization: Bearer`, or who is signed in in the browser, from the app's own
 * pages. Throws `unauthorized`, and `rate_limited` when many wrong keys came from there.
 */
export async function getCaller(request: Request): Promise<Caller> {
  return bearerOf(request) === null ? getSessionCaller(request) : getKeyCaller(request);
}

/** Who asks, and with an API key what is asked for beside it; undefined when nobody looked. */
export async function getCallerAnd(
  beside: Beside,
  request: Request,
): Promise<{ caller: Caller; found?: FoundBeside | undefined }> {
  if (bearerOf(request) === null) return { caller: await getCaller(request) };
  let found: FoundBeside | undefined;
  const caller = await getKeyCaller(request, async (token, address) => {
    const verified = await verifyApiKeyAnd(beside, token, address);
    found = verified ?? undefined;
    return verified?.caller ?? null;
  });
  return { caller, found };
}

/**
 * The holder of the API key in `Authorization: Bearer`, or of what else `verify` knows; a session does not count. Throws as
 * `getCaller` does.
 */
export async function getKeyCaller(
  request: Request,
  verify: (token: string, address: string) => Promise<Caller | null> = verifyApiKey,
): Promise<Caller> {
  const token = bearerOf(request);
  const caller = token ? await verify(token, clientAddress(request)) : null;
  if (caller) return caller;
  if (token) await countAttempt('LIMIT_BAD_KEYS_PER_ADDRESS', clientAddress(request));
  throw unauthorized();
}

/** What follows `Bearer`, empty when that is not one word; null without such a header. */
function bearerOf(request: Request): string | null {
  const [scheme, token = '', ...more] = request.headers.get('authorization')?.trim().split(/\s+/) ?? [];
  if (scheme?.toLowerCase() !== 'bearer') return null;
  return more.length ? '' : token;
}

/** Throws `forbidden` when the caller is an API key that may not do this. */
export function requireScope({ scopes }: Caller, scope: Scope): void {
  if (!scopes || scopes.includes(scope)) return;
  const message = `This API key does not have the scope ${scope}; it has ${scopes.join(', ')}. Use a key that has it.`;
  throw new AppError('forbidden', message);
}

/** Throws `unauthorized` when the caller is not the account that the client says it is for, such as that of a page left open. */
export function requireAccount({ accountId, keyId }: Caller, meant: string | undefined): void {
  if (meant !== undefined && meant.toLowerCase() !== accountId)
    throw new AppError('unauthorized', keyId ? OF_OTHER : OTHER_HERE);
}

const OF_OTHER =
  'The key does not belong to the account that Pomona-Account names. Send the id of its account, or leave the header out.';

/** Who is signed in; an API key does not count. Throws `unauthorized`. */
export async function getSessionCaller(request: Request): Promise<SessionCaller> {
  const caller = await findSessionCaller(request);
  if (!caller) throw isSameOrigin(request.headers) ? signedOut() : unauthorized();
  requireSameOrigin(request);
  return caller;
}

/** Who signed in a short while ago. Throws `sign_in_again`. */
export async function getRecentCaller(request: Request): Promise<SessionCaller> {
  const caller = await getSessionCaller(request);
  requireRecentSignIn(caller);
  return caller;
}

/** The operator who is signed in. To everybody else there is nothing here. */
export async function getOperator(request: Request): Promise<SessionCaller> {
  const caller = await findSessionCaller(request);
  if (!caller?.operator) throw nothingHere();
  requireSameOrigin(request);
  return caller;
}

const unauthorized = () =>
  new AppError('unauthorized', 'Send a valid API key in the header `Authorization: Bearer <API_KEY>`, or sign in.');

const signedOut = () => new AppError('unauthorized', SIGNED_OUT);
