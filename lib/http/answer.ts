import { randomUUID } from 'node:crypto';
import { errorResponse } from '#lib/http/error-response';
import type { Context, Handler } from '#lib/http/route';

/** A handler outside the contract table, with the same edge: errors in the envelope, and a request id on every answer. */
export const answer =
  (handle: (request: Request, context: Context) => Promise<Response>): Handler =>
  async (request, context) => {
    const requestId = randomUUID();
    const response = await handle(request, context).catch((error: unknown) => errorResponse(error, requestId));
    response.headers.set('x-request-id', requestId);
    return response;
  };
