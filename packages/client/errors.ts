import type { ErrorCode, Generation } from './wire.ts';

/** Something that is wrong with a body: where, as a JSON pointer, and a sentence that says what is allowed. */
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

/** A refusal of the API as its envelope tells it. `unreachable` (status 0): no answer came, so it may have been carried out. */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';
  readonly status: number;
  readonly code: Refusal['code'];
  /** What is wrong, field by field, with JSON pointers into the body. */
  readonly issues: readonly Issue[];
  /** The request that a recorded refusal belongs to, or that `run` had submitted: `wait` resumes it. */
  readonly requestId: string | undefined;
  /** The price, on `insufficient_gems`. */
  readonly gemsRequired: number | undefined;
  /** The handle, on `handle_taken`. */
  readonly handle: string | undefined;
  /** Seconds after which another try makes sense. */
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

  /** Whether the same call, with the same Idempotency-Key, may do better a little later. */
  get isPassing(): boolean {
    return this.status === 0 || this.status >= 500 || this.code === 'submission_in_progress';
  }
}

/** A body, parameter or header is wrong: `issues` says where. */
export class InvalidError extends ApiError {
  override readonly name = 'InvalidError';
}
/** No key was sent, or it is invalid, expired or revoked. */
export class UnauthorizedError extends ApiError {
  override readonly name = 'UnauthorizedError';
}
/** The price is above the balance or the key's budget: `gemsRequired` says the price. */
export class InsufficientGemsError extends ApiError {
  override readonly name = 'InsufficientGemsError';
}
/** The prompt or a file is against the content policy. */
export class ContentBlockedError extends ApiError {
  override readonly name = 'ContentBlockedError';
}
/** The key or the account may not do this, or keeps as much as it may. */
export class ForbiddenError extends ApiError {
  override readonly name = 'ForbiddenError';
}
/** There is no such thing, or it is another account's. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}
/** What is there already stands against it; never retried. */
export class ConflictError extends ApiError {
  override readonly name: string = 'ConflictError';
}
/** A living character or reference has this `handle`. */
export class HandleTakenError extends ConflictError {
  override readonly name = 'HandleTakenError';
}
/** The price is above `maxGems`; nothing was charged. */
export class PriceAboveLimitError extends ConflictError {
  override readonly name = 'PriceAboveLimitError';
}
/** It was there once: a retired model, an expired file. */
export class GoneError extends ApiError {
  override readonly name = 'GoneError';
}
/** Too much at once: try again after `retryAfter` seconds. */
export class BusyError extends ApiError {
  override readonly name = 'BusyError';
}
/** A fault of the server. */
export class ServerError extends ApiError {
  override readonly name = 'ServerError';
}
/** No answer came. What was asked for may have been carried out. */
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

/** The error of its code; of a code that is not known here, the one of its status. */
export function apiError(refusal: Refusal, options?: ErrorOptions): ApiError {
  const { code, status } = refusal;
  const Known = BY_CODE[code] ?? BY_STATUS[status] ?? (status >= 500 ? ServerError : ApiError);
  return new Known(refusal, options);
}

/** Reads the error envelope of an answer; an answer without one (a proxy's page) still becomes an ApiError. */
export async function readApiError(response: Response): Promise<ApiError> {
  const retryAfter = Number(response.headers.get('retry-after') ?? NaN);
  // the connection may break here too: then no answer came, and nothing was refused
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
