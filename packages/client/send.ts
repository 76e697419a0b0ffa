import { ApiError, apiError, readApiError } from './errors.ts';
import { pause } from './pause.ts';

/** Where calls are sent, with which credentials and limits. */
export interface Sender {
  /** Origin of the deployment, such as `https://pomona.example`; empty for the origin of the current page. */
  baseUrl?: string;
  /** An API key. The pages of the studio use the session cookie instead. */
  key?: string;
  /** Id of the expected account; the server refuses a key or session of any other account. */
  account?: string | undefined;
  /** Maximum number of retries of a call that is safe to repeat; 4 by default. */
  retries?: number;
  /** Timeout of each attempt, in seconds; by default 90, and 900 for an upload or download of a file. */
  timeout?: number;
  fetch?: typeof globalThis.fetch;
}

/** Default timeout of an attempt, in seconds. */
export const PATIENCE = 90;

/** The input of a call, untyped with respect to the operation. */
export interface AnyInput {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  headers?: Record<string, string | undefined>;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

/** Sends a call to a route such as `GET /v1/requests/{request_id}` and returns the response body. Throws `ApiError`. */
export const send = (sender: Sender, route: string, input?: AnyInput): Promise<unknown> =>
  callFor(bodyOf, sender, route, input);

/** Like `send`, but returns the response itself. A 304 counts as success. */
export const call = (sender: Sender, route: string, input?: AnyInput): Promise<Response> =>
  callFor(itself, sender, route, input);

/** Reads a value from a response. When reading fails, the response counts as lost, and the call may be retried. */
type Read<T> = (response: Response) => T | Promise<T>;

const itself: Read<Response> = response => response;
const bodyOf: Read<unknown> = response =>
  response.status === 204 || response.status === 304 ? undefined : (response.json() as Promise<unknown>);

/** Like `send`, but returns what `read` makes of the response. */
export async function callFor<T>(read: Read<T>, sender: Sender, route: string, input: AnyInput = {}): Promise<T> {
  const { params = {}, query = {}, headers = {}, body, signal } = input;
  const [method = 'GET', path = ''] = route.split(' ');
  const address = path.replace(/{(\w+)}/g, (_, name: string) => segment(name, params[name]));
  const sent = new Headers();
  if (sender.key) sent.set('authorization', `Bearer ${sender.key}`);
  if (sender.account) sent.set('pomona-account', sender.account);
  if (body !== undefined) sent.set('content-type', 'application/json');
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) sent.set(name, value);
  const init = {
    method,
    headers: sent,
    signal,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
  const url = (sender.baseUrl ?? '').replace(/\/+$/, '') + address + search(query);
  return persist(read, sender, [url, init], route);
}

/**
 * Encodes a path parameter. Throws for an empty value, `.` and `..`, which would turn the URL into that of a list or of
 * a parent resource.
 */
function segment(name: string, value = ''): string {
  if (!/^\.{0,2}$/.test(value)) return encodeURIComponent(value);
  throw apiError({ status: 404, code: 'not_found', message: `No ${name} is "${value}".` });
}

/** POST routes that are safe to repeat. An upload ticket that stays unused expires. */
const REPEATABLE = /\/(estimate|uploads|{\w+_id}\/cancel)$/;

/** Routes that delete a whole resource. The DELETE of a part of a resource responds with the resource instead. */
const DELETION = /^DELETE.*id}$/;

type Init = RequestInit & { method: string };
/** The arguments of `fetch`. */
type Sending = [url: string, init: Init];

/** Sends or fetches a file. The default timeout is the lifetime of an upload ticket, 900 seconds. */
export const persistWithFile = (sender: Sender, url: string, init: Init): Promise<Response> =>
  persist(itself, { timeout: 900, ...sender }, [url, init]);

/** Longest Retry-After, in seconds, that the client waits for itself; a longer one is left to the caller. */
const LONGEST_SECONDS = 60;

/** Fetches, with retries of temporary failures when repeating is safe, as it is for a file, which has no route. */
async function persist<T>(read: Read<T>, sender: Sender, sending: Sending, route = ''): Promise<T> {
  const { retries = 4 } = sender;
  const [, { headers, signal }] = sending;
  const isRepeatable =
    !route.startsWith('POST') || REPEATABLE.test(route) || new Headers(headers).has('idempotency-key');
  let mayBeDone = false;
  for (let tries = 0; ; tries++) {
    const outcome = await once(read, sender, sending);
    if (!(outcome instanceof ApiError)) return outcome;
    const { status, retryAfter } = outcome;
    // an earlier attempt deleted the resource, but its response was lost
    if (mayBeDone && DELETION.test(route) && status === 404) return read(new Response(null, { status: 204 }));
    // the server sends 429, or 503 with Retry-After, before it starts any work
    const wasBegun = status !== 429 && (status !== 503 || retryAfter === undefined);
    const isPassing = !wasBegun || (isRepeatable && (status === 0 || status >= 500));
    if (tries >= retries || !isPassing || (retryAfter ?? 0) > LONGEST_SECONDS) throw outcome;
    mayBeDone ||= wasBegun;
    await pause(pauseBefore(tries, outcome), signal ?? undefined);
  }
}

async function once<T>(
  read: Read<T>,
  { timeout = PATIENCE, fetch = globalThis.fetch }: Sender,
  [url, init]: Sending,
): Promise<T | ApiError> {
  const patience = AbortSignal.timeout(timeout * 1000);
  const signal = init.signal ? AbortSignal.any([init.signal, patience]) : patience;
  try {
    const response = await fetch(url, { ...init, signal });
    return await (response.ok || response.status === 304 ? read(response) : readApiError(response));
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    const message = 'The server cannot be reached. Check the connection and try again.';
    return apiError({ status: 0, code: 'unreachable', message }, { cause });
  }
}

/** Delay before a retry, in milliseconds: Retry-After plus exponential back-off with jitter. */
const pauseBefore = (tries: number, { retryAfter = 0 }: ApiError): number =>
  retryAfter * 1000 + Math.random() * Math.min(500 * 2 ** tries, 8000);

function search(query: Record<string, unknown>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}
