import { Readable } from 'node:stream';
import { Agent, buildConnector, errors, request, WebSocket, type Dispatcher, type FormData } from 'undici';
import { z } from 'zod';
import { downloadForeign, FILE_BYTES } from '#lib/engines/download-foreign';
import { EngineError, type EngineServer } from '#lib/engines/engine';
import { EngineRefusal, parseJson } from '#lib/engines/engine-refusal';
import { isMetadataAddress } from '#lib/media/public-address';
import type { TestNetwork } from '#lib/media/guarded-agent';

const CONNECT_MS = 10_000;
/** Until an answer begins, and then between its parts. */
const ANSWER_MS = 30_000;
/** What is read whole has come to its end within so many times that, and a file within so many. */
const WHOLE = 6;
const FILE = 60;
const JSON_BYTES = 1_000_000;
const REFUSAL_BYTES = 64_000;
/** Of one message of a socket, unpacked. */
const MESSAGE_BYTES = 16_000_000;

interface Call {
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** At most one of these three. */
  json?: unknown;
  /** The class of undici, not the global one. */
  form?: FormData;
  body?: Uint8Array | Readable;
  /** Aborted: the call rejects with its reason. */
  signal?: AbortSignal;
  /** The answer comes when the work is done, however long that takes: no time limit. */
  patient?: boolean;
  /** Most bytes of a JSON answer; 1 MB when left out. */
  maxBytes?: number;
}

interface Answer {
  status: number;
  headers: Dispatcher.ResponseData['headers'];
  /** To be read to its end, or destroyed. Breaks off with an `EngineError`. */
  body: Readable;
}

/**
 * HTTP to one engine server. What it throws is an `EngineError`, or the reason of an aborted signal; no message holds the
 * secret or a query. Work in progress has no limit of time; everything else has those of connecting, of silence and of its end.
 */
export interface EngineHttp {
  /** Resolves for 2xx; everything else is an `EngineRefusal`. `path` begins with a slash and is below the server's address. */
  call(method: Dispatcher.HttpMethod, path: string, call?: Call): Promise<Answer>;
  /** The same, for an answer that is JSON of a known shape. */
  json<T>(schema: z.ZodType<T>, method: Dispatcher.HttpMethod, path: string, call?: Call): Promise<T>;
  /**
   * The bytes of a file: at the server itself (a path, or an address of its origin), at one of `origins`, or else anywhere
   * on the public internet, without the secret.
   */
  download(address: string, options?: { signal?: AbortSignal }): Promise<Readable>;
  /** A WebSocket to the server, with the secret. */
  socket(path: string, query?: Record<string, string>): WebSocket;
  /** Closes its connections, not the sockets. */
  close(): Promise<void>;
}

export interface EngineHttpOptions {
  /** How the server wants to be told the secret; `Authorization: Bearer …` when left out. */
  authorize?: (secret: string) => Record<string, string>;
  /** Further origins that files may be fetched from although they are not public, such as a store beside the server. */
  origins?: string[];
  /** Milliseconds of silence that are too many. */
  answerMs?: number;
  /** What connects to a server that is not the operator's. It is closed with the rest. */
  agent?: Agent | undefined;
  /** For tests: where a third party is. */
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

/** Errors of connections that did not come about: nothing was sent. */
const unsent = new WeakSet<object>();

/** The network inside is the operator's own; what a cloud tells its machines is nobody's to ask for. */
const connect: buildConnector.connector = (options, callback) => {
  const refused = new Error('no engine is at such an address');
  const fail = (error: Error) => {
    unsent.add(error);
    callback(error, null);
  };
  if (isMetadataAddress(options.hostname.replace(/^\[|\]$/g, ''))) return fail(refused);
  return plainConnect(options, (...[error, socket]) => {
    if (error) return fail(error);
    // a name may lead there too
    if (!isMetadataAddress(socket.remoteAddress ?? '')) return callback(null, socket);
    socket.destroy();
    return fail(refused);
  });
};

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

/** What was asked may have been done: the answer to it never came, or not whole. */
export class LostAnswer extends EngineError {}

/** What was asked is done, and more is said of it than is read. */
export class OverlongAnswer extends EngineError {}

/** An error as this module promises it. */
function broken(error: unknown, what: string, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  if (error instanceof EngineError) return error;
  const silent = error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError;
  const why = silent ? 'it keeps silent' : error instanceof Error ? error.message || error.name : String(error);
  const Kind = error instanceof Error && unsent.has(error) ? EngineError : LostAnswer;
  return new Kind('engine_unavailable', `${what} failed: ${why}`, true, { cause: error });
}

/** The bytes of a body, which breaks off with an error of ours. */
function guarded(body: Readable, what: string, signal: AbortSignal | undefined): Readable {
  // a body that nobody reads yet may break too
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
  // one that is thrown away tells nobody how it ends, and one that is destroyed unread has begun nothing that would end the body
  return bytes.on('error', () => {}).once('close', () => body.destroy());
}

/** A body as text: of a longer one the beginning, or nothing. */
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

/** A body that breaks off when its time is over: one that says a word now and then would be listened to for ever. */
function endingWithin(ms: number, body: Readable): Readable {
  const endless = new LostAnswer('engine_unavailable', 'an answer does not come to its end', true);
  const timer = setTimeout(() => body.destroy(endless), ms);
  return body.once('close', () => clearTimeout(timer));
}
