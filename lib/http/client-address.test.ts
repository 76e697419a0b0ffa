import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { env } from '#lib/env';
import { clientAddress, noteClientAddress } from '#lib/http/client-address';

function addressOf(headers: Record<string, string>, proxies: number): string {
  Object.assign(env(), { TRUST_PROXY: proxies });
  const incoming = new IncomingMessage(new Socket());
  Object.defineProperty(incoming.socket, 'remoteAddress', { value: '10.0.0.1' });
  Object.assign(incoming.headers, headers);
  noteClientAddress(incoming);
  return clientAddress(new Request('http://localhost', { headers: incoming.headers as Record<string, string> }));
}

const FORWARDED = { 'x-forwarded-for': '6.6.6.6, 203.0.113.9, 10.0.0.2' };

test.each([
  ['what the client claims counts for nothing', { 'x-pomona-address': '6.6.6.6', ...FORWARDED }, 0, '10.0.0.1'],
  ['an IPv4 address in IPv6 dress is the same', { 'x-forwarded-for': '::ffff:203.0.113.9' }, 1, '203.0.113.9'],
  ['of IPv6 the network of one user', { 'x-forwarded-for': '2001:db8:1:2ff::1' }, 1, '2001:db8:1:200::/56'],
  ['the port that some proxies add is no part of it', { 'x-forwarded-for': '203.0.113.9:50123' }, 1, '203.0.113.9'],
  ['nor that of IPv6', { 'x-forwarded-for': '[2001:db8:1:2ff::1]:50123' }, 1, '2001:db8:1:200::/56'],
  ['what is no address', { 'x-forwarded-for': 'unknown' }, 1, 'unknown'],
  ['one proxy added the last', FORWARDED, 1, '10.0.0.2'],
  ['of two, the first added the one before', FORWARDED, 2, '203.0.113.9'],
  ['a proxy that adds none', {}, 1, '10.0.0.1'],
])('client address of a request: %s', (_, headers, proxies, address) => {
  expect(addressOf(headers, proxies)).toBe(address);
});
