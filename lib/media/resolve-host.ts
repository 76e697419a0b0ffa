import { lookup, Resolver } from 'node:dns/promises';

/** For one try at one name server; a silent one is asked twice. */
const TRY_MS = 2_000;
const TRIES = 2;

/**
 * The addresses of a public name, as the system's name servers know them. Asked without the threads that files and
 * `dns.lookup` share, so that a silent name server holds up nobody else. Rejects when nobody knows the name.
 */
export async function resolveHost(host: string, servers?: string[]): Promise<string[]> {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
  if (servers) resolver.setServers(servers);
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = [v4, v6].flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length) return found;
  throw v4.status === 'rejected' ? v4.reason : new Error(`${host} has no address`);
}

/** The addresses of a name inside, which a file of this machine may know alone. */
export const resolveInside = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address);
