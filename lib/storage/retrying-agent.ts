import { Agent, interceptors, type Dispatcher } from 'undici';
import { singleton } from '#lib/singleton';

/** Connections to object stores. What is refused for the moment, or breaks, goes out again after growing pauses, or when the store says. */
export const retryingAgent = (): Dispatcher =>
  singleton('storage.agent', () =>
    new Agent({ connections: 64 }).compose(
      interceptors.retry({
        maxRetries: 4,
        minTimeout: 200,
        maxTimeout: 10_000,
        methods: ['GET', 'HEAD', 'PUT', 'POST', 'DELETE'],
        errorCodes: [
          'ECONNRESET',
          'ECONNREFUSED',
          'EPIPE',
          'EAI_AGAIN',
          'ENETUNREACH',
          'EHOSTUNREACH',
          'UND_ERR_SOCKET',
          'UND_ERR_CONNECT_TIMEOUT',
          'UND_ERR_HEADERS_TIMEOUT',
        ],
      }),
    ),
  );
