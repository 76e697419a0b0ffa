import { randomUUID } from 'node:crypto';
import { errorResponse } from '#lib/http/error-response';
import type { Handler } from '#lib/http/route';

/** A route handler outside the contract of /v1: request id and error envelope, no caller. */
export function mediaHandler(handle: (request: Request) => Promise<Response>): Handler {
  return async request => {
    const requestId = randomUUID();
    try {
      const response = await handle(request);
      response.headers.set('x-request-id', requestId);
      return response;
    } catch (error) {
      return errorResponse(error, requestId);
    }
  };
}
