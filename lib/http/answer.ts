import { randomUUID } from 'node:crypto';
import { baseHeaders } from '#lib/http/base-headers';
import { errorResponse } from '#lib/http/error-response';
import type { Context, Handler } from '#lib/http/route';

/** A handler outside the contract table, with the same edge: errors in the envelope, and what every answer carries. */
export const answer =
  (handle: (request: Request, context: Context) => Promise<Response>): Handler =>
  async (request, context) => {
    const requestId = randomUUID();
    const response = await handle(request, context).catch((error: unknown) =>
      errorResponse(error, requestId, request.signal),
    );
    for (const [name, value] of Object.entries(baseHeaders(requestId))) response.headers.set(name, value);
    return response;
  };
