import { env } from '#lib/env';
import { AppError, causesOf, ERROR_STATUS } from '#lib/errors';
import { baseHeaders } from '#lib/http/base-headers';
import { metrics } from '#lib/http/metrics';
import { log } from '#lib/log';

const FAULTS = {
  internal_error: (requestId: string) =>
    `The server failed to answer. If it persists, tell the operator the number ${requestId}.`,
  out_of_space: () => 'The server has no room for this. Nothing was charged. Try again later, or tell the operator.',
};

/** Codes of the file system and of Postgres for a full disk, exhausted quota or exhausted memory. */
const NO_ROOM = ['ENOSPC', 'EDQUOT', '53100', 'ENOMEM', '53200'];
const ROOM_MADE_SECONDS = 60;
/** Postgres code of a foreign key violation: a row refers to one that does not exist. */
const FOREIGN_KEY = '23503';

/**
 * Returns the response for a thrown error. An `AppError` is shown as it is; for anything else the client sees a fixed
 * text and the cause is logged. Errors after the client has disconnected are not counted.
 */
export function errorResponse(error: unknown, requestId: string, client?: AbortSignal): Response {
  const known = refusalIn(error);
  const fault = isOutOfRoom(error) ? 'out_of_space' : 'internal_error';
  const status = ERROR_STATUS[known?.code ?? fault];
  const retryAfter = known ? known.retryAfter : fault === 'out_of_space' ? ROOM_MADE_SECONDS : undefined;
  if (!known && client?.aborted) log().info({ err: error, requestId }, 'client disconnected');
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
    ...(known?.toWire() ?? { code: fault, message: FAULTS[fault](requestId) }),
    ...(known?.code === 'not_found' && { docs_url: `${env().BASE_URL}/docs` }),
  };
  return new Response(JSON.stringify({ error: body }), { status, headers });
}

/** Returns the refusal that an error is or amounts to: the parent of a row may have been deleted during the request. */
function refusalIn(error: unknown): AppError | null {
  if (error instanceof AppError) return error;
  for (const { code, constraint } of causesOf(error)) {
    if (code !== FOREIGN_KEY) continue;
    return constraint?.endsWith('_accounts_id_fk')
      ? new AppError('unauthorized', 'The account is gone.')
      : new AppError('not_found', 'What this belongs to has been deleted.');
  }
  return null;
}

/** Whether any cause of an error is a full disk or exhausted memory. */
const isOutOfRoom = (error: unknown): boolean => causesOf(error).some(({ code = '' }) => NO_ROOM.includes(code));
