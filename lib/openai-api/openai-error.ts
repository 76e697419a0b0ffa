import { AppError, type WireCode } from '#lib/errors';
import { errorResponse } from '#lib/http/error-response';
import type { Generation } from '#lib/life/generation';

interface Shape {
  code: string;
  status?: number;
  type?: string;
}

/** Codes of ours that clients of that API know by another name. */
const SHAPES: Partial<Record<WireCode, Shape>> = {
  unauthorized: { code: 'invalid_api_key' },
  insufficient_gems: { code: 'insufficient_quota', type: 'insufficient_quota', status: 429 },
  content_blocked: { code: 'content_policy_violation', status: 400 },
  forbidden: { code: 'insufficient_permissions' },
  architecture_not_found: { code: 'model_not_found' },
  architecture_retired: { code: 'model_not_found', status: 404 },
  too_many_requests: { code: 'rate_limit_exceeded', type: 'requests' },
  rate_limited: { code: 'rate_limit_exceeded', type: 'requests' },
};

/** The answer to whatever was thrown, as clients of that API read it. */
export async function openaiError(thrown: unknown, requestId: string, client: AbortSignal): Promise<Response> {
  const ours = errorResponse(thrown, requestId, client);
  const { error } = (await ours.json()) as { error: { code: WireCode; message: string } };
  const { code, status = ours.status, type = typeOf(status) }: Shape = SHAPES[error.code] ?? error;
  const headers = new Headers(ours.headers);
  // their clients try again by themselves: that brings no gems, and what broke may have been paid already
  if (status >= 500 || code === 'insufficient_quota') headers.set('x-should-retry', 'false');
  const param = (thrown instanceof AppError && thrown.extra.issues?.[0]?.path.split('/')[1]) || null;
  return Response.json({ error: { message: error.message, type, param, code } }, { status, headers });
}

const typeOf = (status: number) => (status >= 500 ? 'server_error' : 'invalid_request_error');

/** The answer where nothing was made. What their clients send again by themselves would be paid again. */
export const notMadeAnswer = (final: Generation, headers: Record<string, string>): Response =>
  Response.json(notMade(final), { status: 500, headers: { ...headers, 'x-should-retry': 'false' } });

/** Why there is nothing: what failed was refunded; what is still under way is found under its id. */
export function notMade({ id, status, errorMessage }: Generation) {
  const going = `The request is ${status}: GET /v1/requests/${id}/status tells how it goes on.`;
  const ended: Partial<Record<typeof status, string>> = {
    failed: `${errorMessage ?? 'The generation failed.'} It was refunded.`,
    cancelled: 'The request was cancelled. Its gems are not returned.',
  };
  return {
    error: { message: ended[status] ?? going, type: 'server_error', param: null, code: `generation_${status}` },
  };
}
