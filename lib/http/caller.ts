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
 * Returns the caller: the holder of the API key in `Authorization: Bearer`, or else the account signed in in the
 * browser, on the app's own pages. Throws `unauthorized`, and `rate_limited` after many wrong keys from one address.
 */
export async function getCaller(request: Request): Promise<Caller> {
  return bearerOf(request) === null ? getSessionCaller(request) : getKeyCaller(request);
}

/** Returns the caller and, for an API key, what `beside` asks for, from the same query; `found` is else undefined. */
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
 * Returns the caller of the API key in `Authorization: Bearer`, or of another token that `verify` knows; sessions are
 * not accepted. Throws as `getCaller` does.
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

/** Returns the token after `Bearer`, or '' when it is not a single word; null without a Bearer header. */
function bearerOf(request: Request): string | null {
  const [scheme, token = '', ...more] = request.headers.get('authorization')?.trim().split(/\s+/) ?? [];
  if (scheme?.toLowerCase() !== 'bearer') return null;
  return more.length ? '' : token;
}

/** Throws `forbidden` when the caller is an API key without this scope. */
export function requireScope({ scopes }: Caller, scope: Scope): void {
  if (!scopes || scopes.includes(scope)) return;
  const message = `This API key does not have the scope ${scope}; it has ${scopes.join(', ')}. Use a key that has it.`;
  throw new AppError('forbidden', message);
}

/** Throws `unauthorized` when the caller is not the account that the client means, as a page left open may find. */
export function requireAccount({ accountId, keyId }: Caller, meant: string | undefined): void {
  if (meant !== undefined && meant.toLowerCase() !== accountId)
    throw new AppError('unauthorized', keyId ? OF_OTHER : OTHER_HERE);
}

const OF_OTHER =
  'The key does not belong to the account that Pomona-Account names. Send the id of its account, or leave the header out.';

/** Returns the signed-in caller; API keys are not accepted. Throws `unauthorized`. */
export async function getSessionCaller(request: Request): Promise<SessionCaller> {
  const caller = await findSessionCaller(request);
  if (!caller) throw isSameOrigin(request.headers) ? signedOut() : unauthorized();
  requireSameOrigin(request);
  return caller;
}

/** Returns the signed-in caller if the sign-in is recent. Throws `sign_in_again`. */
export async function getRecentCaller(request: Request): Promise<SessionCaller> {
  const caller = await getSessionCaller(request);
  requireRecentSignIn(caller);
  return caller;
}

/** Returns the signed-in operator. Throws `not_found` for all others, so that they learn nothing about these paths. */
export async function getOperator(request: Request): Promise<SessionCaller> {
  const caller = await findSessionCaller(request);
  if (!caller?.operator) throw nothingHere();
  requireSameOrigin(request);
  return caller;
}

const unauthorized = () =>
  new AppError('unauthorized', 'Send a valid API key in the header `Authorization: Bearer <API_KEY>`, or sign in.');

const signedOut = () => new AppError('unauthorized', SIGNED_OUT);
