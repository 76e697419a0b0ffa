import { ApiError, readApiError } from '#lib/client/api-error';

/** Where calls go, and as whom. */
export interface Sender {
  /** Origin of the deployment; empty for the one that the page came from. */
  baseUrl?: string;
  /** An API key. In a page of the studio the session cookie stands in for it. */
  key?: string;
  fetch?: typeof globalThis.fetch;
}

/** The parts of a call, whichever operation it is. */
export interface AnyInput {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  headers?: Record<string, string | undefined>;
  body?: unknown;
  signal?: AbortSignal;
}

/** Sends a call to a route such as `GET /v1/requests/{request_id}` and gives the answer's body. Throws `ApiError`. */
export async function send(sender: Sender, route: string, input: AnyInput = {}): Promise<unknown> {
  const { baseUrl = '', key, fetch = globalThis.fetch } = sender;
  const { params = {}, query = {}, headers = {}, body, signal } = input;
  const [method = 'GET', path = ''] = route.split(' ');
  const address = path.replace(/{(\w+)}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const sent = new Headers();
  if (key) sent.set('authorization', `Bearer ${key}`);
  if (body !== undefined) sent.set('content-type', 'application/json');
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) sent.set(name, value);
  const init = {
    method,
    headers: sent,
    ...(signal && { signal }),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
  const response = await fetch(baseUrl + address + search(query), init).catch((cause: unknown) => {
    if (signal?.aborted) throw cause;
    const message = 'The server cannot be reached. Check the connection and try again.';
    throw new ApiError({ status: 0, code: 'unreachable', message }, { cause });
  });
  if (!response.ok) throw await readApiError(response);
  if (response.headers.get('content-type')?.startsWith('application/x-ndjson')) return linesOf(response);
  return response.status === 204 ? undefined : ((await response.json()) as unknown);
}

/** The values of an answer that comes line by line. */
async function* linesOf({ body }: Response): AsyncGenerator {
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value = '', done } = await reader.read();
    const lines = (rest + value).split('\n');
    rest = lines.pop()!;
    for (const line of lines) yield JSON.parse(line) as unknown;
    if (done) return;
  }
}

function search(query: Record<string, unknown>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}
