import { Readable } from 'node:stream';
import { Agent, interceptors, type Dispatcher } from 'undici';
import { NETWORK_CODES } from '#lib/outage';
import { singleton } from '#lib/singleton';

/** A store that takes nothing and says nothing for so long is out; whoever waits is told so then, not after further tries. */
const SILENCE_MS = 60_000;
const PIECE_BYTES = 256 * 1024;

/**
 * Connections to object stores. What is refused for the moment, or breaks, goes out again after growing pauses, or when the store
 * says; what stays refused is answered with what the store said last.
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

/** The silence of a body that is sent at once counts from its first byte: of one in pieces, from the last that was taken. */
const inPieces: Dispatcher.DispatcherComposeInterceptor = dispatch => (options, handler) => {
  const { body, headers } = options;
  if (!(body instanceof Uint8Array) || body.length <= PIECE_BYTES) return dispatch(options, handler);
  const sized = { ...(headers as Record<string, string>), 'content-length': String(body.length) };
  return dispatch({ ...options, headers: sized, body: Readable.from(piecesOf(body)) }, handler);
};

function* piecesOf(body: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < body.length; at += PIECE_BYTES) yield body.subarray(at, at + PIECE_BYTES);
}
