/** HTTP status of every error code that a client can see. */
export const ERROR_STATUS = {
  invalid_config: 400,
  invalid_request: 400,
  unauthorized: 401,
  insufficient_gems: 402,
  content_blocked: 403,
  forbidden: 403,
  sign_in_again: 403,
  quota_exceeded: 403,
  not_found: 404,
  architecture_not_found: 404,
  request_not_found: 404,
  character_not_found: 404,
  reference_not_found: 404,
  upload_not_found: 404,
  webhook_not_found: 404,
  recipe_not_found: 404,
  run_not_found: 404,
  method_not_allowed: 405,
  request_finished: 409,
  handle_taken: 409,
  price_above_limit: 409,
  request_live: 409,
  run_live: 409,
  run_finished: 409,
  webhook_disabled: 409,
  architecture_retired: 410,
  media_expired: 410,
  precondition_failed: 412,
  request_too_large: 413,
  range_not_satisfiable: 416,
  submission_in_progress: 429,
  too_many_requests: 429,
  rate_limited: 429,
  content_restricted: 451,
  internal_error: 500,
  out_of_space: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** Error codes of refusals. The remaining codes are faults, used by `errorResponse` alone. */
export type RefusalCode = Exclude<ErrorCode, 'internal_error' | 'out_of_space'>;

/** Error codes as sent to clients: both content policy refusals are `content_blocked`, told apart by their status. */
export type WireCode = Exclude<ErrorCode, 'content_restricted'>;

export const toWireCode = (code: ErrorCode): WireCode => (code === 'content_restricted' ? 'content_blocked' : code);

export const ERROR_CODES = [...new Set((Object.keys(ERROR_STATUS) as ErrorCode[]).map(toWireCode))];

export interface Issue {
  /** JSON pointer into the request body, `''` for the body itself. */
  path: string;
  /** A whole sentence. */
  message: string;
}

/** Members of the error envelope besides `code` and `message`. */
export interface ErrorExtra {
  request_id?: string;
  gems_required?: number;
  handle?: string;
  issues?: Issue[];
}

/** A refusal whose message is safe to show and says what to do. Independent of HTTP except for its status. */
export class AppError extends Error {
  readonly code: RefusalCode;
  readonly extra: ErrorExtra;
  /** Seconds after which a retry makes sense; sent as `Retry-After`. */
  readonly retryAfter: number | undefined;

  constructor(
    code: RefusalCode,
    message: string,
    extra: ErrorExtra = {},
    options: ErrorOptions & { retryAfter?: number } = {},
  ) {
    super(message, options);
    this.name = 'AppError';
    this.code = code;
    this.extra = extra;
    this.retryAfter = options.retryAfter;
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }

  /** Returns the `error` member of the envelope. A 400 always has `issues`: by default one for the body as a whole. */
  toWire() {
    const { code, message, status, extra } = this;
    return { code: toWireCode(code), message, ...(status === 400 && { issues: [{ path: '', message }] }), ...extra };
  }
}

/** Returns the `not_found` error for a path that does not exist, or that this caller may not see. */
export const nothingHere = (): AppError => new AppError('not_found', 'There is nothing at this path.');

/** Returns an error followed by its chain of causes. */
export function causesOf(
  error: unknown,
): (Error & { code?: string; syscall?: string; path?: string; constraint?: string })[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}

/** Whether an error of the system or a library has one of these codes. */
export const hasCode = (error: unknown, ...codes: string[]): boolean =>
  codes.includes((error as { code?: string } | null)?.code ?? '');

/** Returns the message of an error. An AggregateError, as from a host with several addresses, has none of its own. */
export function messageOf(error: unknown): string {
  const { message, errors = [], code = '' } = error as Error & { errors?: unknown[]; code?: string };
  return message || errors.map(messageOf).join('; ') || code;
}

/** Error codes of an invalid request: `invalid_config` for generate and estimate, `invalid_request` otherwise. */
export type InvalidCode = 'invalid_config' | 'invalid_request';

/** Returns a refusal that names all issues of a request. The messages of the issues must be sentences. */
export const invalid = (code: InvalidCode, issues: Issue[], options?: ErrorOptions): AppError =>
  new AppError(code, issues.map(({ message }) => message).join(' '), { issues }, options);

/** Throws `invalid_config` when there are issues. */
export function requireValid(issues: Issue[]): void {
  if (issues.length) throw invalid('invalid_config', issues);
}
