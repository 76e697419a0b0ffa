import type { Dispatcher } from 'undici';
import { z } from 'zod';
import { EngineError, LostOutput, type EngineErrorCode } from '#lib/engines/engine';

type Headers = Dispatcher.ResponseData['headers'];

/**
 * A response other than 2xx. Connectors that understand the server's error body throw a specific `EngineError` instead.
 */
export class EngineRefusal extends EngineError {
  readonly status: number;
  readonly headers: Headers;
  /** Response body, cut off at 64 KB. */
  readonly body: string;
  /** Response body parsed as JSON; undefined where it is not JSON. */
  readonly json: unknown;
  /** The server's own messages and codes, without anything repeated from the request. */
  readonly words: string;

  constructor(what: string, status: number, headers: Headers, body: string) {
    const [code, retryable, hint] = meaningOf(status);
    const json = parseJson(body);
    const words = wordsIn(json, body);
    super(code, `${what} answered ${status}${hint}: ${words.slice(0, 300)}`, retryable, {
      retryAfter: secondsIn(headers) ?? Hint.safeParse(json).data?.retry_after,
    });
    this.status = status;
    this.headers = headers;
    this.body = body;
    this.json = json;
    this.words = words;
  }
}

/**
 * Turns an error of a download into `LostOutput` where the server is unavailable. An error that asks for a later retry
 * (429 or Retry-After) stays as it is, as do all others.
 */
export function asLostOutput(error: unknown): unknown {
  const isAway = error instanceof EngineError && error.code === 'engine_unavailable' && error.retryable;
  const asksForTime =
    isAway && (error.retryAfter !== undefined || (error instanceof EngineRefusal && error.status === 429));
  return isAway && !asksForTime ? new LostOutput(error) : error;
}

/** Retry delay in the response body, which Replicate sends instead of a header. */
const Hint = z.object({ retry_after: z.number().min(0) });

function meaningOf(status: number): [code: EngineErrorCode, retryable: boolean, hint: string] {
  if (status < 400) return ['engine_error', false, ' (a redirect; use the address that it leads to as the url)'];
  if (status === 401) return ['engine_unavailable', false, ' (it needs a different secret)'];
  if (status === 403)
    return ['engine_unavailable', false, ' (it needs a different secret, or something of its account)'];
  if (status === 413)
    return [
      'invalid_input',
      false,
      ' (the file is too large for it; raise the limit of the server, or of the proxy before it)',
    ];
  if ([408, 425, 429, 502, 503, 504].includes(status)) return ['engine_unavailable', true, ''];
  return ['engine_error', status >= 500, ''];
}

/** Returns the Retry-After header in seconds. A date in it is compared with the server's own Date header. */
function secondsIn({ 'retry-after': header, date }: Headers): number | undefined {
  if (typeof header !== 'string') return undefined;
  const now = Date.parse(String(date)) || Date.now();
  const seconds = /^\d{1,6}$/.test(header) ? Number(header) : (Date.parse(header) - now) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined;
}

/** Members of an error body that hold the server's own messages; other members may repeat the request. */
const SAYING = new Set(
  'error errors detail details title message msg code type error_type reason exception'.split(' '),
);

/**
 * Extracts the messages and codes of an error body. Parts that repeat the request are left out: its prompt is private,
 * and could contain any word that errors are matched by. For a body that is not JSON, returns its beginning.
 */
function wordsIn(json: unknown, text: string): string {
  if (typeof json !== 'object' || json === null) return text.replace(/\s+/g, ' ').slice(0, 500);
  const words: string[] = [];
  const walk = (value: unknown, depth: number): void => {
    if (depth > 5 || words.length > 50) return;
    if (typeof value === 'string' && value) words.push(value.replace(/\s+/g, ' ').slice(0, 500));
    else if (Array.isArray(value)) for (const item of value) walk(item, depth + 1);
    else if (value && typeof value === 'object')
      for (const [name, inner] of Object.entries(value)) if (SAYING.has(name)) walk(inner, depth + 1);
  };
  walk(json, 0);
  return words.join(' · ').slice(0, 2_000);
}

/** Parses a text as JSON; undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
