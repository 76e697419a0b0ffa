import { env } from '#lib/env';
import { AppError, ERROR_STATUS } from '#lib/errors';
import { baseHeaders } from '#lib/http/base-headers';
import { metrics } from '#lib/http/metrics';
import { log } from '#lib/log';

const FAULTS = {
  internal_error: 'The server failed to answer. Try again; if it stays, give the operator the X-Request-Id.',
  out_of_space: 'The server has no room for this. Nothing was charged. Try again later, or tell the operator.',
};

/** How the file system and Postgres call a full disk, and all of them a memory that is. */
const NO_ROOM = ['ENOSPC', 'EDQUOT', '53100', 'ENOMEM', '53200'];
const ROOM_MADE_SECONDS = 60;

/**
 * The answer to whatever was thrown: a refusal shows itself, anything else only a fixed text, its cause in the log. What
 * breaks because the client hung up is no fault of ours.
 */
export function errorResponse(error: unknown, requestId: string, client?: AbortSignal): Response {
  const known = error instanceof AppError && error.status < 500 ? error : null;
  const fault = isOutOfRoom(error) ? 'out_of_space' : 'internal_error';
  const status = ERROR_STATUS[known?.code ?? fault];
  const retryAfter = known ? known.retryAfter : fault === 'out_of_space' ? ROOM_MADE_SECONDS : undefined;
  if (!known && client?.aborted) log().info({ err: error, requestId }, 'the client hung up');
  else if (!known) {
    metrics().errors.inc();
    log().error({ err: error, requestId }, 'request failed');
  }
  const headers: Record<string, string> = {
    ...baseHeaders(requestId),
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  };
  if (retryAfter !== undefined) headers['retry-after'] = String(Math.ceil(retryAfter));
  if (known?.code === 'unauthorized') headers['www-authenticate'] = 'Bearer';
  const body = {
    ...(known?.toWire() ?? { code: fault, message: FAULTS[fault] }),
    ...(known?.code === 'not_found' && { docs_url: `${env().BASE_URL}/docs` }),
  };
  return new Response(JSON.stringify({ error: body }), { status, headers });
}

/** Whether an error came, however far down, from a disk or a memory without room. */
function isOutOfRoom(error: unknown): boolean {
  for (let step = error; step instanceof Error; step = step.cause)
    if (NO_ROOM.includes((step as NodeJS.ErrnoException).code ?? '')) return true;
  return false;
}
