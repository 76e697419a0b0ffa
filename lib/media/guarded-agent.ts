import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { isPublicAddress } from '#lib/media/public-address';
import { hostOf, isAllowedInside, NOT_PUBLIC } from '#lib/media/remote-address';
import { resolveHost, resolveInside } from '#lib/media/resolve-host';
import { UnusableMedia } from '#lib/media/unusable-media';
import { orAborted } from '#lib/process/or-aborted';

/** A network for tests: its name resolution, allowed addresses and trusted certificate. */
export interface TestNetwork {
  resolve: (host: string) => Promise<string[]>;
  isAllowed: (address: string) => boolean;
  ca: string;
}

interface AgentOptions {
  timeoutMs: number;
  silenceMs?: number | undefined;
  signal: AbortSignal;
  network?: TestNetwork | undefined;
}

/**
 * Resolves the host of a client's URL once and returns an agent that connects to the resolved addresses only. Throws an
 * `UnusableMedia` without details of the network, unless all of them are public or the operator allows the host.
 */
export async function guardedAgent(
  url: URL,
  { network, timeoutMs, silenceMs = timeoutMs, signal }: AgentOptions,
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
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
    connect: (options, callback) =>
      connect(options, (error, socket) => {
        if (error) return callback(error, null);
        if (socket.remoteAddress && addresses.includes(socket.remoteAddress)) return callback(null, socket);
        socket.destroy();
        callback(new Error(`connected to ${socket.remoteAddress}, which was not resolved`), null);
      }),
  });
}

/** Returns the addresses of the host. An unknown name and one with a private address throw the same message. */
async function publicAddresses(url: URL, network: TestNetwork | undefined, signal: AbortSignal): Promise<string[]> {
  const host = hostOf(url);
  // an IP literal never reaches the connector's `lookup`, so it is checked here like a resolved address
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
