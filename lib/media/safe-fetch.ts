import { lookup } from 'node:dns/promises';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { isIP, type LookupFunction } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { Agent, buildConnector, request, type Dispatcher } from 'undici';
import { log } from '#lib/log';
import { isPublicAddress } from '#lib/media/public-address';
import { UnusableMedia } from '#lib/media/unusable-media';

const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** One text for every reason: what stands behind an address is not ours to tell. */
const REFUSAL =
  'The address could not be fetched. It must be a public https address that answers 200 with the file itself, of at most 100 MB, within 60 seconds.';

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

/** Fetches a client's https address into a file, without ever touching an address that is not public. Throws `UnusableMedia`. */
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
    throw new UnusableMedia(REFUSAL, { cause });
  }
}

async function follow(address: string, options: SafeFetchOptions & { signal: AbortSignal }): Promise<FetchedFile> {
  let url = new URL(address);
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
      const { location } = response.headers;
      if (typeof location !== 'string') throw new Error('a redirect without an address');
      url = new URL(location, url);
    } finally {
      await agent.destroy();
    }
  }
  throw new Error(`more than ${MAX_REDIRECTS} redirects`);
}

/** Resolves a host once and allows connections to what was resolved only. */
async function agentFor(
  url: URL,
  { network, signal, timeoutMs }: SafeFetchOptions & { signal: AbortSignal },
): Promise<Agent> {
  const port = Number(url.port || 443);
  if (url.protocol !== 'https:' || url.username || url.password || (port !== 443 && port < 1024))
    throw new Error('not an allowed address');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // a literal never reaches `lookup` below, so it is judged like a resolved one
  const addresses = isIP(host) ? [host] : await orAborted((network?.resolve ?? resolveHost)(host), signal);
  const isAllowed = network?.isAllowed ?? isPublicAddress;
  if (!addresses.length || !addresses.every(isAllowed))
    throw new Error(`${host} is not public: ${addresses.join(', ')}`);

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
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
  const declared = response.headers['content-length'];
  if (Number(declared ?? 0) > maxBytes) throw new Error('longer than allowed');
  let bytes = 0;
  try {
    const counted = async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        bytes += chunk.byteLength;
        if (bytes > maxBytes) throw new Error('longer than allowed');
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
