import { ApiError, apiError, readApiError } from './errors.ts';
import { pause } from './pause.ts';

/** Where calls go, and as whom. */
export interface Sender {
  /** Origin of the deployment, such as `https://pomona.example`; empty for the one that the page came from. */
  baseUrl?: string;
  /** An API key. In a page of the studio the session cookie stands in for it. */
  key?: string;
  /** Id of the account that this is for: a key, or a session, of any other is refused. */
  account?: string | undefined;
  /** How often a call is sent again that may safely be; 4 unless told. */
  retries?: number;
  /** Seconds without an answer after which a try is given up; 90 unless told. */
  timeout?: number;
  fetch?: typeof globalThis.fetch;
}

/** Seconds for an answer to come, unless told. */
export const PATIENCE = 90;

/** The parts of a call, whichever operation it is. */
export interface AnyInput {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  headers?: Record<string, string | undefined>;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

/** Sends a call to a route such as `GET /v1/requests/{request_id}` and gives the answer's body. Throws `ApiError`. */
export const send = (sender: Sender, route: string, input?: AnyInput): Promise<unknown> =>
  callFor(bodyOf, sender, route, input);

/** The same, with the answer itself. 304 is an answer too. */
export const call = (sender: Sender, route: string, input?: AnyInput): Promise<Response> =>
  callFor(itself, sender, route, input);

/** What is wanted of an answer. An answer of which it cannot be had was lost on its way. */
type Read<T> = (response: Response) => T | Promise<T>;

const itself: Read<Response> = response => response;
const bodyOf: Read<unknown> = response =>
  response.status === 204 || response.status === 304 ? undefined : (response.json() as Promise<unknown>);

/** The same, with what is read of the answer. */
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

/** A parameter in its place of the path. Nothing, or one or two dots, are lost there: the address is that of a list, or of what it is a part of. */
function segment(name: string, value = ''): string {
  if (!/^\.{0,2}$/.test(value)) return encodeURIComponent(value);
  throw apiError({ status: 404, code: 'not_found', message: `No ${name} is "${value}".` });
}

/** Posts that change nothing when they come twice. A ticket that nobody uses goes by itself. */
const REPEATABLE = /\/(estimate|uploads|{\w+_id}\/cancel)$/;

/** What takes a thing away altogether. What takes something off a thing answers with the thing. */
const DELETION = /^DELETE.*id}$/;

type Init = RequestInit & { method: string };
/** What `fetch` takes. */
type Sending = [url: string, init: Init];

/** A file is on its way for longer than an answer: as long as a ticket lasts, unless the sender says otherwise. */
export const persistWithFile = (sender: Sender, url: string, init: Init): Promise<Response> =>
  persist(itself, { timeout: 900, ...sender }, [url, init]);

/** More patience than this is for the caller to have. */
const LONGEST_SECONDS = 60;

/** Fetches, and again where a refusal passes and sending again does no harm, as with a file, which has no route. */
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
    // a try before was carried out, only its answer was lost
    if (mayBeDone && DELETION.test(route) && status === 404) return read(new Response(null, { status: 204 }));
    // what is refused with these was not begun
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

/** Milliseconds: twice as long each time, spread so that many clients do not come back at once, and never before Retry-After. */
const pauseBefore = (tries: number, { retryAfter = 0 }: ApiError): number =>
  retryAfter * 1000 + Math.random() * Math.min(500 * 2 ** tries, 8000);

function search(query: Record<string, unknown>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}
