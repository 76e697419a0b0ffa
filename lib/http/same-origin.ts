import { env } from '#lib/env';
import { AppError } from '#lib/errors';

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Restricts state-changing requests with a session to the app's own pages. Browsers send cookies with requests from
 * other sites too, but name the origin, and other sites cannot send JSON without a preflight.
 */
export function requireSameOrigin(request: Request): void {
  if (SAFE_METHODS.includes(request.method)) return;
  if (!isSameOrigin(request.headers) || !isJsonOrEmpty(request.headers)) throw notOurs();
}

/** Restricts a link that changes state to the app's own pages. Browsers declare when another site led to it. */
export function requireOwnLink(request: Request): void {
  if (['cross-site', 'same-site'].includes(request.headers.get('sec-fetch-site') ?? '')) throw notOurs();
}

const notOurs = () =>
  new AppError(
    'unauthorized',
    `A session works only for the pages of ${env().BASE_URL}: same origin, and JSON as the body. Programs must send an API key.`,
  );

/** Whether the request comes from a page of BASE_URL, not of another host name that points at this server. */
export function isSameOrigin(headers: Headers): boolean {
  const [site, origin] = [headers.get('sec-fetch-site'), headers.get('origin')];
  // browsers omit Sec-Fetch-Site on plain http
  if (site !== null && site !== 'same-origin') return false;
  return origin === null ? site !== null : origin === env().BASE_URL;
}

function isJsonOrEmpty(headers: Headers): boolean {
  const type = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== undefined) return type === 'application/json';
  return isEmpty(headers);
}

/** Whether the headers declare no body. */
export const isEmpty = (headers: Headers): boolean =>
  (headers.get('content-length') ?? '0') === '0' && !headers.has('transfer-encoding');
