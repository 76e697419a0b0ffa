import { lookup } from 'node:dns/promises';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { isIP, type LookupFunction } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { Agent, buildConnector, request, type Dispatcher } from 'undici';
import { log } from '#lib/log';
import { isPublicAddress } from '#lib/media/public-address';
import { checkRemoteAddress, hostOf, NOT_PUBLIC } from '#lib/media/remote-address';
import { UnusableMedia } from '#lib/media/unusable-media';

const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export interface SafeFetchOptions {
  /** Where the file is written; nothing may be there yet, and nothing stays there after a failure. */
  to: string;
  maxBytes: number;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** For tests: how names resolve, which addresses are allowed, whose certificates are trusted. */
  network?: { resolve: (host: string) => Promise<string[]>; isAllowed: (address: string) => boolean; ca: string };
}

export interface FetchedFile {
  path: string;
  bytes: number;
  /** As the server said; never to be trusted. */
  contentType: string | null;
}

/**
 * Fetches a client's https address into a file, without ever touching an address that is not public. Throws `UnusableMedia`
 * that says what happened; of what is not public it tells nothing. An aborted `signal` rejects with its own reason.
 */
export async function safeFetch(address: string, options: SafeFetchOptions): Promise<FetchedFile> {
  const limit = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit;
  try {
    return await follow(address, { ...options, signal });
  } catch (cause) {
    options.signal?.throwIfAborted();
    log().info(
      { err: cause, host: URL.canParse(address) ? new URL(address).host : undefined },
      'a media address was not fetched',
    );
    if (cause instanceof UnusableMedia) throw cause;
    const took = `The file did not arrive within ${options.timeoutMs / 1000} seconds.`;
    throw new UnusableMedia(limit.aborted ? took : 'The connection to its server failed.', { cause });
  }
}

async function follow(address: string, options: SafeFetchOptions & { signal: AbortSignal }): Promise<FetchedFile> {
  let url = checkRemoteAddress(address);
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const agent = await agentFor(url, options);
    try {
      const response = await request(url, {
        dispatcher: agent,
        signal: options.signal,
        headers: { 'user-agent': 'Pomona', accept: 'image/*, video/*, audio/*', 'accept-encoding': 'identity' },
      });
      if (!REDIRECTS.has(response.statusCode)) return await save(response, options);
      // what a redirect says beside its address is not waited for
      response.body.on('error', () => {}).destroy();
      url = redirectTarget(response.headers.location, url);
    } finally {
      await agent.destroy();
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
async function agentFor(
  url: URL,
  { network, signal, timeoutMs }: SafeFetchOptions & { signal: AbortSignal },
): Promise<Agent> {
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
async function publicAddresses(url: URL, network: SafeFetchOptions['network'], signal: AbortSignal): Promise<string[]> {
  const host = hostOf(url);
  // a literal never reaches the connector's `lookup`, so it is judged like a resolved one
  const resolved = isIP(host) ? [host] : orAborted((network?.resolve ?? resolveHost)(host), signal);
  const addresses = await Promise.resolve(resolved).catch((cause: unknown) => {
    throw new UnusableMedia(NOT_PUBLIC, { cause });
  });
  if (addresses.length && addresses.every(network?.isAllowed ?? isPublicAddress)) return addresses;
  throw new UnusableMedia(NOT_PUBLIC, { cause: new Error(`${host} is ${addresses.join(', ') || 'nowhere'}`) });
}

const resolveHost = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true, order: 'ipv4first' })).map(({ address }) => address);

const pinned = (addresses: string[]): LookupFunction => {
  const entries = addresses.map(address => ({ address, family: isIP(address) }));
  return (_host, { all }, done) => (all ? done(null, entries) : done(null, entries[0]!.address, entries[0]!.family));
};

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return Promise.race([
    work,
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
  ]);
}

async function save(
  response: Dispatcher.ResponseData,
  { to, maxBytes, signal }: SafeFetchOptions,
): Promise<FetchedFile> {
  if (response.statusCode !== 200)
    throw new UnusableMedia(`Its server answered ${response.statusCode}, not 200 with the file itself.`);
  const declared = response.headers['content-length'];
  if (Number(declared ?? 0) > maxBytes) throw tooLarge(maxBytes);
  let bytes = 0;
  try {
    const counted = async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        bytes += chunk.byteLength;
        if (bytes > maxBytes) throw tooLarge(maxBytes);
        yield chunk;
      }
    };
    await pipeline(response.body, counted, createWriteStream(to, { flags: 'wx', mode: 0o600 }), { signal });
  } catch (error) {
    await rm(to, { force: true });
    throw error;
  }
  const type = response.headers['content-type'];
  return { path: to, bytes, contentType: typeof type === 'string' ? type : null };
}

const tooLarge = (maxBytes: number) =>
  new UnusableMedia(`The file at this address is larger than ${maxBytes.toLocaleString('en')} bytes.`);
