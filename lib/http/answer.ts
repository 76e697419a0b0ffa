import { randomUUID } from 'node:crypto';
import { baseHeaders } from '#lib/http/base-headers';
import { errorResponse } from '#lib/http/error-response';
import type { Context, Handler } from '#lib/http/route';

export type ToResponse = (error: unknown, requestId: string, client: AbortSignal) => Response | Promise<Response>;

/** A handler outside the contract table, with the same edge: errors in the envelope, or as told, and what every answer carries. */
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
    // most is somebody's own; what others may keep says so
    if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'no-store');
    for (const [name, value] of Object.entries(baseHeaders(requestId))) response.headers.set(name, value);
    return response;
  };
