import { Readable } from 'node:stream';
import { Agent, interceptors, type Dispatcher } from 'undici';
import { NETWORK_CODES } from '#lib/outage';
import { singleton } from '#lib/singleton';

/** Timeout without any progress, after which the store counts as down and the request fails without further retries. */
const SILENCE_MS = 60_000;
const PIECE_BYTES = 256 * 1024;

/**
 * HTTP agent for object stores. Requests that are refused temporarily, or whose connection breaks, are retried with
 * exponential back-off or after the store's Retry-After; when all retries are refused, the last response is returned.
 */
export const retryingAgent = (): Dispatcher =>
  singleton('storage.agent', () =>
    new Agent({ connections: 64, headersTimeout: SILENCE_MS, bodyTimeout: SILENCE_MS }).compose(
      inPieces,
      interceptors.retry({
        maxRetries: 4,
        throwOnError: false,
        minTimeout: 200,
        maxTimeout: 10_000,
        methods: ['GET', 'HEAD', 'PUT', 'POST', 'DELETE'],
        errorCodes: NETWORK_CODES.filter(code => code !== 'UND_ERR_HEADERS_TIMEOUT'),
      }),
    ),
  );

/** Sends large bodies in pieces: the headers timeout then counts from the last piece sent instead of the first byte. */
const inPieces: Dispatcher.DispatcherComposeInterceptor = dispatch => (options, handler) => {
  const { body, headers } = options;
  if (!(body instanceof Uint8Array) || body.length <= PIECE_BYTES) return dispatch(options, handler);
  const sized = { ...(headers as Record<string, string>), 'content-length': String(body.length) };
  return dispatch({ ...options, headers: sized, body: Readable.from(piecesOf(body)) }, handler);
};

function* piecesOf(body: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < body.length; at += PIECE_BYTES) yield body.subarray(at, at + PIECE_BYTES);
}
