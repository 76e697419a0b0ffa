import type { ErrorCode, Generation } from './wire.ts';

/** A problem with a body: its location as a JSON pointer, and a sentence that says what is allowed. */
export interface Issue {
  path: string;
  message: string;
}

interface Refusal {
  status: number;
  code: ErrorCode | 'unreachable' | (string & {});
  message: string;
  issues?: readonly Issue[] | undefined;
  requestId?: string | undefined;
  gemsRequired?: number | undefined;
  handle?: string | undefined;
  retryAfter?: number | undefined;
}

/**
 * An error response of the API, with the fields of its error envelope. Code `unreachable` (status 0) means that no
 * response arrived; the server may still have carried out the call.
 */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';
  readonly status: number;
  readonly code: Refusal['code'];
  /** The problems found, with JSON pointers into the body. */
  readonly issues: readonly Issue[];
  /** Id of the request that a recorded refusal belongs to, or that `run` has submitted, which `wait` resumes. */
  readonly requestId: string | undefined;
  /** The price in gems, set with `insufficient_gems`. */
  readonly gemsRequired: number | undefined;
  /** The handle that is in use, set with `handle_taken`. */
  readonly handle: string | undefined;
  /** Seconds to wait before a retry. */
  readonly retryAfter: number | undefined;

  constructor({ status, code, message, issues = [], ...rest }: Refusal, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    this.code = code;
    this.issues = issues;
    this.requestId = rest.requestId;
    this.gemsRequired = rest.gemsRequired;
    this.handle = rest.handle;
    this.retryAfter = rest.retryAfter;
  }

  /** Whether repeating the call with the same Idempotency-Key may succeed a little later. */
  get isPassing(): boolean {
    return this.status === 0 || this.status >= 500 || this.code === 'submission_in_progress';
  }
}

/** A body, parameter or header is invalid; see `issues`. */
export class InvalidError extends ApiError {
  override readonly name = 'InvalidError';
}
/** No key was sent, or it is invalid, expired or revoked. */
export class UnauthorizedError extends ApiError {
  override readonly name = 'UnauthorizedError';
}
/** The price, `gemsRequired`, exceeds the balance or the budget of the key. */
export class InsufficientGemsError extends ApiError {
  override readonly name = 'InsufficientGemsError';
}
/** The prompt or a file violates the content policy. */
export class ContentBlockedError extends ApiError {
  override readonly name = 'ContentBlockedError';
}
/** The key or account lacks permission, or has reached a limit on what it may keep. */
export class ForbiddenError extends ApiError {
  override readonly name = 'ForbiddenError';
}
/** The resource does not exist, or belongs to another account. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}
/** The call conflicts with the current state of the resource. The client does not retry it. */
export class ConflictError extends ApiError {
  override readonly name: string = 'ConflictError';
}
/** An existing character or reference already has this `handle`. */
export class HandleTakenError extends ConflictError {
  override readonly name = 'HandleTakenError';
}
/** The price exceeds `maxGems`; nothing was charged. */
export class PriceAboveLimitError extends ConflictError {
  override readonly name = 'PriceAboveLimitError';
}
/** The resource is no longer available, such as a retired model or an expired file. */
export class GoneError extends ApiError {
  override readonly name = 'GoneError';
}
/** A rate or concurrency limit was reached; retry after `retryAfter` seconds. */
export class BusyError extends ApiError {
  override readonly name = 'BusyError';
}
/** The server failed (5xx). */
export class ServerError extends ApiError {
  override readonly name = 'ServerError';
}
/** No response arrived. The server may still have carried out the call. */
export class UnreachableError extends ApiError {
  override readonly name = 'UnreachableError';
}

/** A request that ended without a result: `request.status` is `failed` or `cancelled`. */
export class GenerationError extends Error {
  override readonly name = 'GenerationError';
  readonly request: Generation;

  constructor(request: Generation) {
    super(request.error?.message ?? `The request was ${request.status}.`);
    this.request = request;
  }
}

const BY_CODE: Record<string, typeof ApiError> = {
  content_blocked: ContentBlockedError,
  handle_taken: HandleTakenError,
  price_above_limit: PriceAboveLimitError,
};

const BY_STATUS: Record<number, typeof ApiError> = {
  0: UnreachableError,
  400: InvalidError,
  401: UnauthorizedError,
  402: InsufficientGemsError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  410: GoneError,
  429: BusyError,
};

/** Creates an error of the class for its code, or for its status when the code has no class of its own. */
export function apiError(refusal: Refusal, options?: ErrorOptions): ApiError {
  const { code, status } = refusal;
  const Known = BY_CODE[code] ?? BY_STATUS[status] ?? (status >= 500 ? ServerError : ApiError);
  return new Known(refusal, options);
}

/** Reads the error envelope of a response. One without it, such as a proxy's page, becomes an `ApiError` too. */
export async function readApiError(response: Response): Promise<ApiError> {
  const retryAfter = Number(response.headers.get('retry-after') ?? NaN);
  // this rejects when the connection breaks, so that the caller reports `unreachable` rather than a refusal
  const error = envelopeIn(await response.text());
  return apiError({
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

function envelopeIn(text: string): Record<string, unknown> {
  try {
    return (JSON.parse(text) as { error?: Record<string, unknown> } | null)?.error ?? {};
  } catch {
    return {};
  }
}
