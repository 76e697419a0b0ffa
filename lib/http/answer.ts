import { randomUUID } from 'node:crypto';
import { baseHeaders } from '#lib/http/base-headers';
import { errorResponse } from '#lib/http/error-response';
import type { Context, Handler } from '#lib/http/route';

export type ToResponse = (error: unknown, requestId: string, client: AbortSignal) => Response | Promise<Response>;

/** Wraps a handler outside the contract table: errors go through `toResponse`, and responses get the base headers. */
export const answer =
  (
    handle: (request: Request, context: Context) => Promise<Response>,
    toResponse: ToResponse = errorResponse,
  ): Handler =>
  async (request, context) => {
    const requestId = randomUUID();
    const response = await handle(request, context).catch((error: unknown) =>
      toResponse(error, requestId, request.signal),
    );
    // most responses are private to an account; cacheable ones set the header themselves
    if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'no-store');
    for (const [name, value] of Object.entries(baseHeaders(requestId))) response.headers.set(name, value);
    return response;
  };
