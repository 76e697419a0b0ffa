import { request, type Dispatcher } from 'undici';
import { FairGate, type Errand } from '#lib/media/fair-gate';
import { guardedAgent, type TestNetwork } from '#lib/media/guarded-agent';
import { checkRemoteAddress, NOT_PUBLIC } from '#lib/media/remote-address';
import { UnusableMedia } from '#lib/media/unusable-media';
import { log } from '#lib/log';
import { singleton } from '#lib/singleton';

const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export interface GuardedOptions extends Errand {
  /** Timeout of the whole request, including redirects and the body. */
  timeoutMs: number;
  /** Timeout until the response begins, and between chunks of its body; defaults to `timeoutMs`. */
  silenceMs?: number;
  headers?: Record<string, string>;
  network?: TestNetwork | undefined;
}

export interface GuardedAnswer {
  response: Dispatcher.ResponseData;
  /** Requests the same URL again, with other headers. */
  again: (headers: Record<string, string>) => Promise<Dispatcher.ResponseData>;
  /** Aborted on timeout, or when the caller aborts. */
  signal: AbortSignal;
}

const gate = () => singleton('media.fetches', () => new FairGate('FETCHES'));

/**
 * Requests a client's https URL and passes the response to `use`. Connects to a private address only when the operator
 * allows the host. Throws `UnusableMedia`, without details of private addresses, or the reason of the aborted `signal`.
 */
export const guardedRequest = <T>(
  address: string,
  options: GuardedOptions,
  use: (answer: GuardedAnswer) => Promise<T>,
): Promise<T> =>
  gate().pass(options, async () => {
    const limit = AbortSignal.timeout(options.timeoutMs);
    const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit;
    try {
      return await follow(address, options, signal, use);
    } catch (cause) {
      options.signal?.throwIfAborted();
      log().info({ err: cause, host: URL.parse(address)?.host }, 'media address not fetched');
      if (cause instanceof UnusableMedia) throw cause;
      const late = `The file did not arrive within ${options.timeoutMs / 1000} seconds.`;
      throw new UnusableMedia(limit.aborted ? late : 'The connection to its server failed.', { cause });
    }
  });

async function follow<T>(
  address: string,
  options: GuardedOptions,
  signal: AbortSignal,
  use: (answer: GuardedAnswer) => Promise<T>,
): Promise<T> {
  let url = checkRemoteAddress(address);
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const dispatcher = await guardedAgent(url, { ...options, signal });
    const ask = (headers: Record<string, string> = {}) =>
      request(url, {
        dispatcher,
        signal,
        headers: {
          'user-agent': 'Pomona',
          accept: 'image/*, video/*, audio/*',
          'accept-encoding': 'identity',
          ...headers,
        },
      });
    try {
      const response = await ask(options.headers);
      if (!REDIRECTS.has(response.statusCode)) return await use({ response, again: ask, signal });
      // the body of a redirect is not read
      response.body.on('error', () => {}).destroy();
      url = redirectTarget(response.headers.location, url);
    } finally {
      await dispatcher.destroy();
    }
  }
  throw new UnusableMedia(`The address redirects more than ${MAX_REDIRECTS} times.`);
}

function redirectTarget(location: string | string[] | undefined, from: URL): URL {
  if (typeof location !== 'string' || !URL.canParse(location, from.href))
    throw new UnusableMedia('The address redirects without saying where to.');
  try {
    return checkRemoteAddress(new URL(location, from).href);
  } catch (cause) {
    // the message does not reveal to the client where the server redirects to
    throw new UnusableMedia(NOT_PUBLIC, { cause });
  }
}
