import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, request, type Dispatcher } from 'undici';
import { FairGate, type Errand } from '#lib/media/fair-gate';
import { isPublicAddress } from '#lib/media/public-address';
import { checkRemoteAddress, hostOf, isAllowedInside, NOT_PUBLIC } from '#lib/media/remote-address';
import { resolveHost, resolveInside } from '#lib/media/resolve-host';
import { UnusableMedia } from '#lib/media/unusable-media';
import { log } from '#lib/log';
import { singleton } from '#lib/singleton';
import { orAborted } from '#lib/process/or-aborted';

const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export interface GuardedOptions extends Errand {
  timeoutMs: number;
  headers?: Record<string, string>;
  /** For tests: how names resolve, which addresses are allowed, whose certificates are trusted. */
  network?:
    | {
        resolve: (host: string) => Promise<string[]>;
        isAllowed: (address: string) => boolean;
        ca: string;
      }
    | undefined;
}

export interface GuardedAnswer {
  response: Dispatcher.ResponseData;
  /** Asks the same server for the same file again, with other headers. */
  again: (headers: Record<string, string>) => Promise<Dispatcher.ResponseData>;
  /** Aborted when the time is over or nobody waits any more. */
  signal: AbortSignal;
}

const gate = () => singleton('media.fetches', () => new FairGate('FETCHES'));

/**
 * Asks a client's https address, without ever touching an address that is not public, and has `use` read the answer. Throws
 * `UnusableMedia` that says what happened; of what is not public it tells nothing. An aborted `signal` rejects with its reason.
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
      const host = URL.canParse(address) ? new URL(address).host : undefined;
      log().info({ err: cause, host }, 'a media address was not fetched');
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
    const dispatcher = await agentFor(url, options, signal);
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
      // what a redirect says beside its address is not waited for
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
    // what the server tried to lead to is not repeated to the client
    throw new UnusableMedia(NOT_PUBLIC, { cause });
  }
}

/** Resolves a host once and allows connections to what was resolved only. */
async function agentFor(url: URL, { network, timeoutMs }: GuardedOptions, signal: AbortSignal): Promise<Agent> {
  const addresses = await publicAddresses(url, network, signal);
  const connect = buildConnector({
    timeout: 10_000,
    lookup: pinned(addresses),
    allowH2: false,
    ...(network && { ca: network.ca }),
  });
  return new Agent({
    allowH2: false,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: (options, callback) =>
      connect(options, (error, socket) => {
        if (error) return callback(error, null);
        if (socket.remoteAddress && addresses.includes(socket.remoteAddress)) return callback(null, socket);
        socket.destroy();
        callback(new Error(`connected to ${socket.remoteAddress}, which was not resolved`), null);
      }),
  });
}

/** What the host resolves to. A name that nobody knows and one that leads inside are answered alike. */
async function publicAddresses(url: URL, network: GuardedOptions['network'], signal: AbortSignal): Promise<string[]> {
  const host = hostOf(url);
  // a literal never reaches the connector's `lookup`, so it is judged like a resolved one
  const inside = isAllowedInside(host);
  const resolve = network?.resolve ?? (inside ? resolveInside : resolveHost);
  const resolved = isIP(host) ? Promise.resolve([host]) : orAborted(resolve(host), signal);
  const addresses = await resolved.catch((cause: unknown) => {
    throw new UnusableMedia(NOT_PUBLIC, { cause });
  });
  if (addresses.length && (inside || addresses.every(network?.isAllowed ?? isPublicAddress))) return addresses;
  throw new UnusableMedia(NOT_PUBLIC, { cause: new Error(`${host} is ${addresses.join(', ') || 'nowhere'}`) });
}

const pinned = (addresses: string[]): LookupFunction => {
  const entries = addresses.map(address => ({ address, family: isIP(address) }));
  return (_host, { all }, done) => (all ? done(null, entries) : done(null, entries[0]!.address, entries[0]!.family));
};
