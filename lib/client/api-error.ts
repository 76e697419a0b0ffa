import type { ErrorCode, Issue } from '#lib/errors';

interface Refusal {
  status: number;
  code: ErrorCode | 'unreachable' | (string & {});
  message: string;
  issues?: Issue[] | undefined;
  requestId?: string | undefined;
  gemsRequired?: number | undefined;
  handle?: string | undefined;
  retryAfter?: number | undefined;
}

/** A refusal of the API as its envelope tells it. `unreachable` (status 0): no answer came, so it may have been carried out. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: Refusal['code'];
  /** What is wrong, field by field, with JSON pointers into the body. */
  readonly issues: readonly Issue[];
  /** The request that a recorded refusal belongs to. */
  readonly requestId: string | undefined;
  readonly gemsRequired: number | undefined;
  readonly handle: string | undefined;
  /** Seconds after which another try makes sense. */
  readonly retryAfter: number | undefined;

  constructor({ status, code, message, issues = [], ...rest }: Refusal, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.issues = issues;
    this.requestId = rest.requestId;
    this.gemsRequired = rest.gemsRequired;
    this.handle = rest.handle;
    this.retryAfter = rest.retryAfter;
  }

  /** Whether the same call, with the same Idempotency-Key, may do better a little later. */
  get isPassing(): boolean {
    return this.status === 0 || this.status >= 500 || this.code === 'submission_in_progress';
  }
}

/** Reads the error envelope of an answer; an answer without one (a proxy's page) still becomes an ApiError. */
export async function readApiError(response: Response): Promise<ApiError> {
  const retryAfter = Number(response.headers.get('retry-after') ?? NaN);
  const body = (await response.json().catch(() => null)) as { error?: Record<string, unknown> } | null;
  const error = body?.error ?? {};
  return new ApiError({
    status: response.status,
    code: typeof error.code === 'string' ? error.code : 'internal_error',
    message: typeof error.message === 'string' ? error.message : `The server answered ${response.status}.`,
    issues: Array.isArray(error.issues) ? (error.issues as Issue[]) : [],
    requestId: error.request_id as string | undefined,
    gemsRequired: error.gems_required as number | undefined,
    handle: error.handle as string | undefined,
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
  });
}
