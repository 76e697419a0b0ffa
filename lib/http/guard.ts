import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '#lib/errors';
import { errorResponse } from '#lib/http/error-response';
import { holdRefusal } from '#lib/http/limit-refusals';

/** Throws when the header is not what Next's router sends. */
export type ParseState = (header: string | string[] | undefined) => unknown;

/** Pages are read; whatever changes something is a handler of ours. */
const PAGE_METHODS = ['GET', 'HEAD'];

/** Characters of a page's address. A redirect names it twice, in headers of which many clients read 16 KB and no more. */
const MAX_ADDRESS = 7_000;

/** Where the guard sends addresses that no page has: Next answers them with its page for what is not there. */
const NOWHERE = '/404';

/** Brings the target of a request into the one form that all handlers know, a path. True when it cannot be, and was refused. */
export function refuseOddTarget(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
  const path = pathOf(incoming.url ?? '');
  if (path === null) {
    const message = 'The target of the request must be a path, such as /v1/account, or an http address with one.';
    return refuse(outgoing, new AppError('invalid_request', message));
  }
  incoming.url = path;
  return false;
}

/**
 * Keeps from Next what it fails on: addresses that are too long or cannot be decoded, methods that no page has, and what its router
 * in the browser never sends, as `parseState`, its own function, says. True when it was refused.
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

/** A proxy may send the whole address; only its path counts. */
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

/** Answers a refusal where there is no handler yet. */
export function refuse(outgoing: ServerResponse, error: AppError): true {
  const response = errorResponse(error, randomUUID());
  // a body that nobody reads ends with the connection
  outgoing.setHeader('connection', 'close');
  void Promise.all([response.text(), holdRefusal(outgoing)]).then(([text]) =>
    outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(text),
  );
  return true;
}
