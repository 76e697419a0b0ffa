import { AppError } from '#lib/errors';
import { metrics } from '#lib/http/metrics';
import { log } from '#lib/log';

const FAULT = {
  code: 'internal_error',
  message: 'The server failed to answer. Try again; if it stays, give the operator the X-Request-Id.',
};

/** The answer to whatever was thrown: a refusal shows itself, anything else only a fixed text, its cause in the log. */
export function errorResponse(error: unknown, requestId: string): Response {
  const known = error instanceof AppError && error.status < 500 ? error : null;
  if (!known) {
    metrics().errors.inc();
    log().error({ err: error, requestId }, 'request failed');
  }
  const headers: Record<string, string> = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
  };
  if (known?.retryAfter !== undefined) headers['retry-after'] = String(Math.ceil(known.retryAfter));
  if (known?.code === 'unauthorized') headers['www-authenticate'] = 'Bearer';
  return new Response(JSON.stringify({ error: known?.toWire() ?? FAULT }), { status: known?.status ?? 500, headers });
}
