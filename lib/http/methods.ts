import { randomUUID } from 'node:crypto';
import { AppError } from '#lib/errors';
import { errorResponse } from '#lib/http/error-response';
import type { Handler } from '#lib/http/route';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
type Method = (typeof METHODS)[number];

/** The exports of a route file: its handlers, HEAD from GET, and 405 with `Allow` for every other method. */
export function methods(handlers: Partial<Record<Method, Handler>>): Record<Method, Handler> {
  const given = { ...handlers };
  const get = given.GET;
  if (get) given.HEAD ??= async (request, context) => withoutBody(await get(request, context));
  const allow = Object.keys(given).join(', ');
  const refuse: Handler = async request => {
    const error = new AppError('method_not_allowed', `${request.method} is not offered here; use ${allow}.`);
    const response = errorResponse(error, randomUUID());
    response.headers.set('allow', allow);
    return response;
  };
  return Object.fromEntries(METHODS.map(method => [method, given[method] ?? refuse])) as Record<Method, Handler>;
}

const withoutBody = (response: Response) => new Response(null, response);
