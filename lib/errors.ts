/** Every error code a client can see, with its HTTP status. The one code→status table. */
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

/** The codes of refusals; the others are of faults, which `errorResponse` alone names. */
export type RefusalCode = Exclude<ErrorCode, 'internal_error' | 'out_of_space'>;

/** The codes as the wire spells them: both scopes of the content policy are `content_blocked`, told apart by their status. */
export type WireCode = Exclude<ErrorCode, 'content_restricted'>;

export const toWireCode = (code: ErrorCode): WireCode => (code === 'content_restricted' ? 'content_blocked' : code);

export const ERROR_CODES = [...new Set((Object.keys(ERROR_STATUS) as ErrorCode[]).map(toWireCode))];

export interface Issue {
  /** JSON pointer into the body, `''` for the body itself. */
  path: string;
  /** A sentence. */
  message: string;
}

/** Members of the error envelope beside `code` and `message`. */
export interface ErrorExtra {
  request_id?: string;
  gems_required?: number;
  handle?: string;
  issues?: Issue[];
}

/** A refusal with a message that is safe to show and says what to do. Knows nothing of HTTP but its status. */
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

  /** The `error` member of the envelope. A bad request has issues also where it is wrong as a whole. */
  toWire() {
    const { code, message, status, extra } = this;
    return { code: toWireCode(code), message, ...(status === 400 && { issues: [{ path: '', message }] }), ...extra };
  }
}

/** What is said where there is nothing, or nothing for whoever asks. */
export const nothingHere = (): AppError => new AppError('not_found', 'There is nothing at this path.');

/** An error and what it came from. */
export function causesOf(
  error: unknown,
): (Error & { code?: string; syscall?: string; path?: string; constraint?: string })[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}

/** Whether the system, or a library, gave an error one of these codes. */
export const hasCode = (error: unknown, ...codes: string[]): boolean =>
  codes.includes((error as { code?: string } | null)?.code ?? '');

/** A name with several addresses fails with all of their errors, and has no message of its own. */
export function messageOf(error: unknown): string {
  const { message, errors = [], code = '' } = error as Error & { errors?: unknown[]; code?: string };
  return message || errors.map(messageOf).join('; ') || code;
}

/** The codes of a bad request: that of generate and estimate, and that of everything else. */
export type InvalidCode = 'invalid_config' | 'invalid_request';

/** A refusal that names everything that is wrong with a request at once. The messages of issues are sentences. */
export const invalid = (code: InvalidCode, issues: Issue[], options?: ErrorOptions): AppError =>
  new AppError(code, issues.map(({ message }) => message).join(' '), { issues }, options);

/** Throws `invalid_config` when something is wrong. */
export function requireValid(issues: Issue[]): void {
  if (issues.length) throw invalid('invalid_config', issues);
}
