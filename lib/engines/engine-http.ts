import { Readable } from 'node:stream';
import { Agent, buildConnector, errors, request, WebSocket, type Dispatcher, type FormData } from 'undici';
import { z } from 'zod';
import { downloadForeign, FILE_BYTES } from '#lib/engines/download-foreign';
import { EngineError, type EngineServer } from '#lib/engines/engine';
import { EngineRefusal, parseJson } from '#lib/engines/engine-refusal';
import { isMetadataAddress } from '#lib/media/public-address';
import type { TestNetwork } from '#lib/media/guarded-agent';

const CONNECT_MS = 10_000;
/** Maximum silence before a response begins, and then between its chunks, in milliseconds. */
const ANSWER_MS = 30_000;
/** Total time for a response that is read whole, and for a file, as multiples of the maximum silence. */
const WHOLE = 6;
const FILE = 60;
const JSON_BYTES = 1_000_000;
const REFUSAL_BYTES = 64_000;
/** Maximum size of a WebSocket message after decompression. */
const MESSAGE_BYTES = 16_000_000;

interface Call {
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** Body of the request; at most one of `json`, `form` and `body`. */
  json?: unknown;
  /** An instance of undici's FormData, not of the global class. */
  form?: FormData;
  body?: Uint8Array | Readable;
  /** Aborts the call, which then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Disables all timeouts, for a response that arrives only when the work is done. */
  patient?: boolean;
  /** Maximum size of a JSON response in bytes; defaults to 1 MB. */
  maxBytes?: number;
}

interface Answer {
  status: number;
  headers: Dispatcher.ResponseData['headers'];
  /** The caller must read it to its end or destroy it. It fails with an `EngineError`. */
  body: Readable;
}

/**
 * HTTP client for one engine server. Throws `EngineError`, or the reason of an aborted signal; error messages contain
 * neither the secret nor a query string. All calls except `patient` ones have timeouts for connecting, for silence and
 * for the entire response.
 */
export interface EngineHttp {
  /** Resolves for 2xx and throws `EngineRefusal` otherwise. `path` begins with a slash, below the server's URL. */
  call(method: Dispatcher.HttpMethod, path: string, call?: Call): Promise<Answer>;
  /** Like `call`, for a JSON response that is validated against `schema`. */
  json<T>(schema: z.ZodType<T>, method: Dispatcher.HttpMethod, path: string, call?: Call): Promise<T>;
  /**
   * Downloads a file from the server itself (a path, or a URL of its origin), from one of `origins`, or from anywhere
   * on the public internet. The secret is sent to the server's own origin only.
   */
  download(address: string, options?: { signal?: AbortSignal }): Promise<Readable>;
  /** Opens a WebSocket to the server, with the secret. */
  socket(path: string, query?: Record<string, string>): WebSocket;
  /** Closes the HTTP connections, but not the WebSockets. */
  close(): Promise<void>;
}

export interface EngineHttpOptions {
  /** Returns the headers that carry the secret; defaults to `Authorization: Bearer …`. */
  authorize?: (secret: string) => Record<string, string>;
  /** Additional non-public origins that files may be fetched from, such as an object store in the same network. */
  origins?: string[];
  /** Maximum silence before a call fails, in milliseconds. */
  answerMs?: number;
  /** Agent for a server that the operator does not control. `close` closes it too. */
  agent?: Agent | undefined;
  /** For tests: the network in which external services are found. */
  network?: TestNetwork;
}

export function createEngineHttp(server: EngineServer, options: EngineHttpOptions = {}): EngineHttp {
  const { authorize = bearer, origins = [], answerMs = ANSWER_MS, network } = options;
  const { agent = new Agent({ connect, allowH2: false, webSocket: { maxPayloadSize: MESSAGE_BYTES } }) } = options;
  const own = new URL(server.url).origin;
  const secret = server.secret ? authorize(server.secret) : {};
  const wholeMs = WHOLE * answerMs;

  async function send(method: Dispatcher.HttpMethod, url: URL, call: Call, credentials: Record<string, string>) {
    const what = `${method} ${url.origin}${url.pathname}`;
    const { json, form, body, signal, patient } = call;
    for (const [name, value] of Object.entries(call.query ?? {})) url.searchParams.set(name, value);
    try {
      const response = await request(url, {
        dispatcher: agent,
        method,
        headers: {
          'user-agent': 'Pomona',
          ...(json !== undefined && { 'content-type': 'application/json' }),
          ...credentials,
          ...call.headers,
        },
        body: json === undefined ? (form ?? body ?? null) : JSON.stringify(json),
        headersTimeout: patient ? 0 : answerMs,
        bodyTimeout: patient ? 0 : answerMs,
        signal,
      });
      const bytes = guarded(response.body, what, signal);
      if (response.statusCode >= 200 && response.statusCode < 300)
        return { status: response.statusCode, headers: response.headers, body: bytes };
      const said = await textOf(bytes, REFUSAL_BYTES, 'cut', wholeMs);
      const safe = server.secret ? said.replaceAll(server.secret, '…') : said;
      throw new EngineRefusal(what, response.statusCode, response.headers, safe);
    } catch (error) {
      throw broken(error, what, signal);
    }
  }

  const call: EngineHttp['call'] = (method, path, options = {}) =>
    send(method, new URL(`${server.url}${path}`), options, secret);

  return {
    call,

    async json(schema, method, path, options = {}) {
      const { body } = await call(method, path, options);
      const text = await textOf(body, options.maxBytes ?? JSON_BYTES, 'refuse', options.patient ? null : wholeMs);
      const parsed = schema.safeParse(parseJson(text));
      if (parsed.success) return parsed.data;
      const why = `${z.prettifyError(parsed.error).slice(0, 300)}; it began with ${JSON.stringify(text.slice(0, 100))}`;
      throw new EngineError('engine_error', `${method} ${path} answered what it should not: ${why}`, true);
    },

    async download(address, { signal } = {}) {
      const url = new URL(address.startsWith('/') ? `${server.url}${address}` : address);
      const isOwn = url.origin === own;
      if (!isOwn && !origins.includes(url.origin))
        return downloadForeign(url, { silenceMs: answerMs, network, signal });
      const { body } = await send('GET', url, { signal }, isOwn ? secret : {});
      return endingWithin(FILE * answerMs, body);
    },

    socket(path, query = {}) {
      const url = new URL(`${server.url.replace(/^http/, 'ws')}${path}`);
      url.search = new URLSearchParams(query).toString();
      return new WebSocket(url, { headers: secret, dispatcher: agent });
    },

    close: () => agent.destroy(),
  };
}

const plainConnect = buildConnector({ timeout: CONNECT_MS, allowH2: false });

/** Errors of connections that were never established, so that no request was sent. */
const unsent = new WeakSet<object>();

/** Connects to any address, since engines may be in the operator's network, except to cloud metadata services. */
const connect: buildConnector.connector = (options, callback) => {
  const refused = new Error('no engine is at such an address');
  const fail = (error: Error) => {
    unsent.add(error);
    callback(error, null);
  };
  if (isMetadataAddress(options.hostname.replace(/^\[|\]$/g, ''))) return fail(refused);
  return plainConnect(options, (...[error, socket]) => {
    if (error) return fail(error);
    // a host name may resolve to a metadata address
    if (!isMetadataAddress(socket.remoteAddress ?? '')) return callback(null, socket);
    socket.destroy();
    return fail(refused);
  });
};

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

/** The request may have been processed, but its response was lost or incomplete. */
export class LostAnswer extends EngineError {}

/** The request was processed, but its response is longer than the limit. */
export class OverlongAnswer extends EngineError {}

/** Converts any error into one that this module may throw. */
function broken(error: unknown, what: string, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  if (error instanceof EngineError) return error;
  const silent = error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError;
  const why = silent ? 'it keeps silent' : error instanceof Error ? error.message || error.name : String(error);
  const Kind = error instanceof Error && unsent.has(error) ? EngineError : LostAnswer;
  return new Kind('engine_unavailable', `${what} failed: ${why}`, true, { cause: error });
}

/** Wraps a response body, so that it is limited in size and fails with an `EngineError`. */
function guarded(body: Readable, what: string, signal: AbortSignal | undefined): Readable {
  // a body may fail before it is read
  body.on('error', () => {});
  async function* chunks() {
    let bytes = 0;
    try {
      for await (const chunk of body) {
        bytes += (chunk as Uint8Array).byteLength;
        if (bytes > FILE_BYTES) throw new EngineError('engine_error', `${what} answered more than 4 GB`, false);
        yield chunk;
      }
    } catch (error) {
      throw broken(error, what, signal);
    }
  }
  const bytes = Readable.from(chunks(), { objectMode: false });
  // a discarded stream has no error listener; one destroyed unread never started the generator that ends the body
  return bytes.on('error', () => {}).once('close', () => body.destroy());
}

/** Reads a body as text; one that exceeds `maxBytes` is cut off or refused. `withinMs` null means no timeout. */
async function textOf(
  body: Readable,
  maxBytes: number,
  longer: 'cut' | 'refuse',
  withinMs: number | null,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of withinMs === null ? body : endingWithin(withinMs, body)) {
    chunks.push(chunk as Uint8Array);
    bytes += (chunk as Uint8Array).byteLength;
    if (bytes <= maxBytes) continue;
    if (longer === 'cut') break;
    throw new OverlongAnswer('engine_error', `an answer is longer than ${maxBytes} bytes`, false);
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString();
}

/** Limits the total time of a body: a slow trickle of bytes would never reach the silence timeout. */
function endingWithin(ms: number, body: Readable): Readable {
  const endless = new LostAnswer('engine_unavailable', 'an answer does not come to its end', true);
  const timer = setTimeout(() => body.destroy(endless), ms);
  return body.once('close', () => clearTimeout(timer));
}
