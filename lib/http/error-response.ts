import { env } from '#lib/env';
import { AppError } from '#lib/errors';
import { baseHeaders } from '#lib/http/base-headers';
import { metrics } from '#lib/http/metrics';
import { log } from '#lib/log';

const FAULT = {
  code: 'internal_error',
  message: 'The server failed to answer. Try again; if it stays, give the operator the X-Request-Id.',
};

/**
 * The answer to whatever was thrown: a refusal shows itself, anything else only a fixed text, its cause in the log. What
 * breaks because the client hung up is no fault of ours.
 */
export function errorResponse(error: unknown, requestId: string, request?: Request): Response {
  const known = error instanceof AppError && error.status < 500 ? error : null;
  if (!known && request?.signal.aborted) log().info({ err: error, requestId }, 'the client hung up');
  else if (!known) {
    metrics().errors.inc();
    log().error({ err: error, requestId }, 'request failed');
  }
  const headers: Record<string, string> = {
    ...baseHeaders(requestId),
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  };
  if (known?.retryAfter !== undefined) headers['retry-after'] = String(Math.ceil(known.retryAfter));
  if (known?.code === 'unauthorized') headers['www-authenticate'] = 'Bearer';
  const body = {
    ...(known?.toWire() ?? FAULT),
    ...(known?.code === 'not_found' && { docs_url: `${env().BASE_URL}/docs` }),
  };
  return new Response(JSON.stringify({ error: body }), { status: known?.status ?? 500, headers });
}
