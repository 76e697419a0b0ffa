import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { env } from '#lib/env';
import { AppError } from '#lib/errors';
import { errorResponse } from '#lib/http/error-response';
import { holdRefusal } from '#lib/http/limit-refusals';

/** Next's parser of the router state header; throws when the header is malformed. */
export type ParseState = (header: string | string[] | undefined) => unknown;

/** Methods of pages; requests that change something go to route handlers. */
const PAGE_METHODS = ['GET', 'HEAD'];

/** Maximum length of a page's URL. A redirect repeats it twice in headers, of which many clients read only 16 KB. */
const MAX_ADDRESS = 7_000;

/** Path that no page has; Next answers it with its not-found page. */
const NOWHERE = '/404';

/**
 * Normalises the target of a request to a path, and gives HTTP/1.0, which needs no Host, that of BASE_URL: health checks
 * of proxies use it. Returns true when the target has no path and the request was refused.
 */
export function refuseOddTarget(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
  const path = pathOf(incoming.url ?? '');
  if (path === null) {
    const message = 'The target of the request must be a path, such as /v1/account, or an http address with one.';
    return refuse(outgoing, new AppError('invalid_request', message));
  }
  incoming.url = path;
  if (incoming.httpVersion === '1.0') incoming.headers.host ??= new URL(env().BASE_URL).host;
  return false;
}

/**
 * Keeps requests from Next on which it fails: URLs that are too long or cannot be decoded, methods that pages do not
 * have, and router state that Next's own `parseState` rejects. Returns true when the request was refused.
 */
export function refuseOddPage(incoming: IncomingMessage, outgoing: ServerResponse, parseState: ParseState): boolean {
  const { url = '' } = incoming;
  if (url.length > MAX_ADDRESS)
    return refuse(outgoing, new AppError('invalid_request', `The address is over ${MAX_ADDRESS} characters.`));
  const [path = ''] = url.split('?', 1);
  if (!isDecodable(path) || path.startsWith('/_next/image')) incoming.url = NOWHERE;
  if (!isRouterState(incoming.headers['next-router-state-tree'], parseState))
    return refuse(outgoing, new AppError('invalid_request', 'The header Next-Router-State-Tree is malformed.'));
  const { method = '' } = incoming;
  if (PAGE_METHODS.includes(method)) return false;
  const allow = PAGE_METHODS.join(', ');
  outgoing.setHeader('allow', allow);
  return refuse(outgoing, new AppError('method_not_allowed', `${method} is not offered here; use ${allow}.`));
}

function isRouterState(header: string | string[] | undefined, parseState: ParseState): boolean {
  try {
    parseState(header);
    return true;
  } catch {
    return false;
  }
}

/** A proxy may send an absolute URL; only path and query are used. */
function pathOf(target: string): string | null {
  if (target.startsWith('/')) return target;
  const url = /^https?:\/\//i.test(target) ? URL.parse(target) : null;
  return url && url.pathname + url.search;
}

function isDecodable(path: string): boolean {
  try {
    return !decodeURIComponent(path).includes('\0');
  } catch {
    return false;
  }
}

/** Answers with a refusal where there is no handler yet. */
export function refuse(outgoing: ServerResponse, error: AppError): true {
  const response = errorResponse(error, randomUUID());
  // closing the connection discards the unread body
  outgoing.setHeader('connection', 'close');
  void Promise.all([response.text(), holdRefusal(outgoing)]).then(([text]) =>
    outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(text),
  );
  return true;
}
