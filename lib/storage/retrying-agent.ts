import { Agent, interceptors, type Dispatcher } from 'undici';
import { NETWORK_CODES } from '#lib/outage';
import { singleton } from '#lib/singleton';

/**
 * Connections to object stores. What is refused for the moment, or breaks, goes out again after growing pauses, or when the store
 * says; what stays refused is answered with what the store said last.
 */
export const retryingAgent = (): Dispatcher =>
  singleton('storage.agent', () =>
    new Agent({ connections: 64 }).compose(
      interceptors.retry({
        maxRetries: 4,
        throwOnError: false,
        minTimeout: 200,
        maxTimeout: 10_000,
        methods: ['GET', 'HEAD', 'PUT', 'POST', 'DELETE'],
        errorCodes: [...NETWORK_CODES],
      }),
    ),
  );
