import { env } from '#lib/env';
import { AppError } from '#lib/errors';

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Holds a request that changes something to the app's own pages: a browser sends a cookie along with what other sites make
 * it send, too, but it says where that came from, and other sites cannot have it send JSON without asking.
 */
export function requireSameOrigin(request: Request): void {
  if (SAFE_METHODS.includes(request.method)) return;
  if (!isSameOrigin(request.headers) || !isJsonOrEmpty(request.headers)) throw notOurs();
}

/** The same for a link that does more than read: a browser is led to it by other sites, too, and says so. */
export function requireOwnLink(request: Request): void {
  if (['cross-site', 'same-site'].includes(request.headers.get('sec-fetch-site') ?? '')) throw notOurs();
}

const notOurs = () =>
  new AppError(
    'unauthorized',
    `A session works only for the pages of ${env().BASE_URL}: same origin, and JSON as the body. Programs must send an API key.`,
  );

/** Only the public origin counts: under a name of their own, others can make a browser reach this server too. */
export function isSameOrigin(headers: Headers): boolean {
  const [site, origin] = [headers.get('sec-fetch-site'), headers.get('origin')];
  // browsers leave Sec-Fetch-Site out on plain http
  if (site !== null && site !== 'same-origin') return false;
  return origin === null ? site !== null : origin === env().BASE_URL;
}

function isJsonOrEmpty(headers: Headers): boolean {
  const type = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== undefined) return type === 'application/json';
  return isEmpty(headers);
}

/** Whether a request says that it has no body. */
export const isEmpty = (headers: Headers): boolean =>
  (headers.get('content-length') ?? '0') === '0' && !headers.has('transfer-encoding');
