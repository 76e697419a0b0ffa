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

/** How the file system and Postgres call a full disk, and all of them a memory that is. */
const NO_ROOM = ['ENOSPC', 'EDQUOT', '53100', 'ENOMEM', '53200'];
const ROOM_MADE_SECONDS = 60;
/** How Postgres calls a row that is to belong to one that is not there. */
const FOREIGN_KEY = '23503';

/**
 * The answer to whatever was thrown: a refusal shows itself, anything else only a fixed text, its cause in the log. What
 * breaks because the client hung up is no fault of ours.
 */
export function errorResponse(error: unknown, requestId: string, client?: AbortSignal): Response {
  const known = refusalIn(error);
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
    ...(known?.toWire() ?? { code: fault, message: FAULTS[fault](requestId) }),
    ...(known?.code === 'not_found' && { docs_url: `${env().BASE_URL}/docs` }),
  };
  return new Response(JSON.stringify({ error: body }), { status, headers });
}

/** The refusal that an error is, or amounts to: what a row was to belong to may have been deleted while the request was under way. */
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

/** Whether an error came, however far down, from a disk or a memory without room. */
const isOutOfRoom = (error: unknown): boolean => causesOf(error).some(({ code = '' }) => NO_ROOM.includes(code));
