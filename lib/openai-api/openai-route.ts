import type { Caller } from '#lib/accounts/callers';
import { answer } from '#lib/http/answer';
import { getKeyCaller, requireScope } from '#lib/http/caller';
import { asReaderOf } from '#lib/http/limit-reads';
import { methods, type Handlers } from '#lib/http/methods';
import type { Handler } from '#lib/http/route';
import { openaiError } from '#lib/openai-api/openai-error';
import type { Scope } from '#lib/scopes';

interface Call {
  request: Request;
  caller: Caller;
  /** The parameters of the path. */
  params: Record<string, string>;
}

/** A handler for clients of that API: an API key of ours as theirs, and errors in their shape. */
export const openaiRoute = (scope: Scope, handle: (call: Call) => Promise<Response>): Handler =>
  answer(async (request, context) => {
    const caller = await getKeyCaller(request);
    requireScope(caller, scope);
    const params = (await context.params) as Call['params'];
    const make = () => handle({ request, caller, params });
    return request.method === 'GET' ? asReaderOf(caller.accountId, request, make) : make();
  }, openaiError);

/** The exports of a route file with such handlers. */
export const openaiMethods = (handlers: Handlers) => methods(handlers, openaiError);
