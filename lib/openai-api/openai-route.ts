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
  /** Parameters of the path. */
  params: Record<string, string>;
}

/** Creates a handler for OpenAI clients: it takes a Pomona API key and answers errors in the form of the OpenAI API. */
export const openaiRoute = (scope: Scope, handle: (call: Call) => Promise<Response>): Handler =>
  answer(async (request, context) => {
    const caller = await getKeyCaller(request);
    requireScope(caller, scope);
    const params = (await context.params) as Call['params'];
    const make = () => handle({ request, caller, params });
    return request.method === 'GET' ? asReaderOf(caller.accountId, request, make) : make();
  }, openaiError);

/** Returns the exports of a route file with such handlers. */
export const openaiMethods = (handlers: Handlers) => methods(handlers, openaiError);
