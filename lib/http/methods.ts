import { randomUUID } from 'node:crypto';
import { AppError } from '#lib/errors';
import type { ToResponse } from '#lib/http/answer';
import { errorResponse } from '#lib/http/error-response';
import type { Handler } from '#lib/http/route';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
type Method = (typeof METHODS)[number];

export type Handlers = Partial<Record<Method, Handler>>;

/** Returns the exports of a route file: its handlers, HEAD from GET, and 405 with `Allow` for every other method. */
export function methods(handlers: Handlers, toResponse: ToResponse = errorResponse): Record<Method, Handler> {
  const given = { ...handlers };
  const get = given.GET;
  if (get) given.HEAD ??= async (request, context) => withoutBody(await get(request, context));
  const allow = Object.keys(given).join(', ');
  const refuse: Handler = async request => {
    const error = new AppError('method_not_allowed', `${request.method} is not offered here; use ${allow}.`);
    const response = await toResponse(error, randomUUID(), request.signal);
    response.headers.set('allow', allow);
    return response;
  };
  return Object.fromEntries(METHODS.map(method => [method, given[method] ?? refuse])) as Record<Method, Handler>;
}

/** Returns the exports of a route file with one handler for every method. */
export const everyMethod = (handler: Handler): Record<Method, Handler> =>
  Object.fromEntries(METHODS.map(method => [method, handler])) as Record<Method, Handler>;

async function withoutBody(response: Response): Promise<Response> {
  // closes what the body holds open
  await response.body?.cancel();
  return new Response(null, response);
}
