import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { env } from '#lib/env';
import { randomToken } from '#lib/ids';
import { singleton } from '#lib/singleton';

/** Random header name that no client can know, so that only this process sets the header. */
const header = () => singleton('http.address-header', () => `x-pomona-address-${randomToken(16).toLowerCase()}`);

/** Prefix length of one end user's IPv6 network, within which the user can choose among billions of addresses. */
const IPV6_PREFIX = 56;

/** An address with a port, as some proxies write it. The port is dropped: it differs for each connection. */
const WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/;

/** Sets the client's address as a header of the request. */
export function noteClientAddress(incoming: IncomingMessage): void {
  const address = addressOf(incoming);
  incoming.headers[header()] = address;
  incoming.rawHeaders.push(header(), address);
}

/** Returns the client's address, for limits: an IPv4 address, or the IPv6 network of one user. */
export const clientAddress = (request: Request): string => request.headers.get(header()) ?? 'unknown';

/** Returns the client's address of a raw request, before there is a `Request`. */
export function addressOf({ headers, socket }: IncomingMessage): string {
  const { TRUST_PROXY } = env();
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
  // each trusted proxy appends one address
  const told = TRUST_PROXY > 0 ? forwarded.at(-TRUST_PROXY)?.trim() : undefined;
  return networkOf(told || socket.remoteAddress || 'unknown');
}

export function networkOf(address: string): string {
  // fast path: behind a proxy, most connections come from this address
  if (address === '127.0.0.1') return address;
  const [, inBrackets, beforePort] = WITH_PORT.exec(address) ?? [];
  const bare = inBrackets ?? beforePort ?? address;
  if (!ipaddr.isValid(bare)) return address.slice(0, 100);
  const parsed = ipaddr.process(bare);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${IPV6_PREFIX}`).toString()}/${IPV6_PREFIX}`;
}
