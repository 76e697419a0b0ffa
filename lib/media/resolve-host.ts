import { lookup, Resolver } from 'node:dns/promises';

/** Timeout of one query to one name server; a server that does not respond is queried `TRIES` times. */
const TRY_MS = 2_000;
const TRIES = 2;

/**
 * Returns the addresses of a public name from the system's name servers, or rejects when it has none. Unlike
 * `dns.lookup`, it does not use the thread pool shared with file access, which a slow name server could block.
 */
export async function resolveHost(host: string, servers?: string[]): Promise<string[]> {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
  if (servers) resolver.setServers(servers);
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = [v4, v6].flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length) return found;
  throw v4.status === 'rejected' ? v4.reason : new Error(`${host} has no address`);
}

/** Returns the addresses of an internal name, which may be known only to the hosts file of this machine. */
export const resolveInside = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address);
