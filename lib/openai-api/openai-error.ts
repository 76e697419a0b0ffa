import { AppError, type WireCode } from '#lib/errors';
import { errorResponse } from '#lib/http/error-response';
import type { Shown } from '#lib/generations/read';
import { isFinal } from '#lib/status';

interface Shape {
  code: string;
  status?: number;
  type?: string;
  param?: string | null;
}

/** Error codes that have another name in the OpenAI API. */
const SHAPES: Partial<Record<WireCode, Shape>> = {
  unauthorized: { code: 'invalid_api_key' },
  insufficient_gems: { code: 'insufficient_quota', type: 'insufficient_quota', status: 429 },
  content_blocked: { code: 'content_policy_violation', status: 400 },
  forbidden: { code: 'insufficient_permissions' },
  architecture_not_found: { code: 'model_not_found', param: 'model' },
  architecture_retired: { code: 'model_not_found', param: 'model', status: 404 },
  too_many_requests: { code: 'rate_limit_exceeded', type: 'requests' },
  rate_limited: { code: 'rate_limit_exceeded', type: 'requests' },
};

/** Returns the answer to an error in the form of the OpenAI API. */
export async function openaiError(thrown: unknown, requestId: string, client: AbortSignal): Promise<Response> {
  const ours = errorResponse(thrown, requestId, client);
  const { error } = (await ours.json()) as { error: { code: WireCode; message: string } };
  const named = (thrown instanceof AppError && thrown.extra.issues?.[0]?.path.split('/')[1]) || null;
  const { code, status = ours.status, type = typeOf(status), param = named }: Shape = SHAPES[error.code] ?? error;
  const headers = new Headers(ours.headers);
  // OpenAI clients retry by themselves: a retry brings no gems, and the request may have been charged already
  if (status >= 500 || code === 'insufficient_quota') headers.set('x-should-retry', 'false');
  return Response.json({ error: { message: error.message, type, param, code } }, { status, headers });
}

const typeOf = (status: number) => (status >= 500 ? 'server_error' : 'invalid_request_error');

/**
 * Returns the answer for a request without a result. OpenAI clients should retry only while the request is live and was
 * sent with an idempotency key: without a key, a retry is charged again.
 */
export function notMadeAnswer(found: Shown, headers: Record<string, string>, request: Request): Response {
  const finds = !isFinal(found.status) && request.headers.has('idempotency-key');
  const status = found.status === 'completed' ? 410 : 500;
  return Response.json(notMade(found), { status, headers: { ...headers, 'x-should-retry': String(finds) } });
}

/** Returns the error that explains why a request has no result. */
export function notMade({ id, status, errorMessage }: Shown) {
  const going = `The request is ${status}: GET /v1/requests/${id}/status tells how it goes on.`;
  const ended: Partial<Record<typeof status, string>> = {
    failed: `${errorMessage ?? 'The generation failed.'} It was refunded.`,
    cancelled: 'The request was cancelled. Its gems are not returned.',
    completed: `What request ${id} made has expired or was deleted. Make it again, under another key.`,
  };
  const isGone = status === 'completed';
  const code = isGone ? 'media_expired' : `generation_${isFinal(status) ? status : 'in_progress'}`;
  return { error: { message: ended[status] ?? going, type: typeOf(isGone ? 410 : 500), param: null, code } };
}
