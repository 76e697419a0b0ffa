import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { env } from '#lib/env';
import { randomToken } from '#lib/ids';
import { singleton } from '#lib/singleton';

/** A name that no client knows, so that only this process writes the header. */
const header = () => singleton('http.address-header', () => `x-pomona-address-${randomToken(16).toLowerCase()}`);

/** What an end user is commonly given of IPv6; each could send from billions of addresses in it. */
const IPV6_PREFIX = 56;

/** An address as some proxies write it, with its port: each connection of a client has another one. */
const WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/;

/** Notes on the request where it comes from. */
export function noteClientAddress(incoming: IncomingMessage): void {
  const address = addressOf(incoming);
  incoming.headers[header()] = address;
  incoming.rawHeaders.push(header(), address);
}

/** Where a request comes from, for limits: an IPv4 address, or the IPv6 network of one user. */
export const clientAddress = (request: Request): string => request.headers.get(header()) ?? 'unknown';

/** The same before there is a `Request`. */
export function addressOf({ headers, socket }: IncomingMessage): string {
  const { TRUST_PROXY } = env();
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
  // each trusted proxy added one at the end
  const told = TRUST_PROXY > 0 ? forwarded.at(-TRUST_PROXY)?.trim() : undefined;
  return networkOf(told || socket.remoteAddress || 'unknown');
}

export function networkOf(address: string): string {
  // most connections of a deployment behind a proxy
  if (address === '127.0.0.1') return address;
  const [, inBrackets, beforePort] = WITH_PORT.exec(address) ?? [];
  const bare = inBrackets ?? beforePort ?? address;
  if (!ipaddr.isValid(bare)) return address.slice(0, 100);
  const parsed = ipaddr.process(bare);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${IPV6_PREFIX}`).toString()}/${IPV6_PREFIX}`;
}
