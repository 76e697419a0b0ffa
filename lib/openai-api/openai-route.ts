import { randomUUID } from 'node:crypto';
import type { Caller } from '#lib/accounts/callers';
import { baseHeaders } from '#lib/http/base-headers';
import { getKeyCaller, requireScope } from '#lib/http/caller';
import type { Context, Handler } from '#lib/http/route';
import { openaiError } from '#lib/openai-api/openai-error';
import type { Scope } from '#lib/scopes';

interface Call {
  request: Request;
  caller: Caller;
  /** The parameters of the path. */
  params: Record<string, string>;
}

/** A handler for clients of that API: an API key of ours as theirs, and errors in their shape. */
export const openaiRoute =
  (scope: Scope, handle: (call: Call) => Promise<Response>): Handler =>
  async (request: Request, context: Context) => {
    const requestId = randomUUID();
    const response = await answer().catch((error: unknown) => openaiError(error, requestId, request.signal));
    for (const [name, value] of Object.entries(baseHeaders(requestId))) response.headers.set(name, value);
    return response;

    async function answer(): Promise<Response> {
      const caller = await getKeyCaller(request);
      requireScope(caller, scope);
      return handle({ request, caller, params: (await context.params) as Call['params'] });
    }
  };
