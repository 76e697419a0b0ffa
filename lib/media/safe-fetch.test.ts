import { subscribe } from 'node:diagnostics_channel';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { HOSTILE_URLS, PRIVATE_ADDRESSES } from '#lib/media/hostile-test-addresses';
import { isPublicAddress } from '#lib/media/public-address';
import { NOT_PUBLIC } from '#lib/media/remote-address';
import { safeFetch, type SafeFetchOptions } from '#lib/media/safe-fetch';
import { makeCertificate } from '#lib/media/test-certificate';

process.env.LOG_LEVEL = 'silent';
const folder = mkdtempSync(join(tmpdir(), 'pomona-fetch-'));
const certificate = makeCertificate(['public.test', 'moved.test', 'rebound.test']);

const pages: Record<string, (answer: ServerResponse) => void> = {
  '/file': answer => answer.setHeader('content-type', 'image/png').end('the file'),
  '/missing': answer => answer.writeHead(404).end('secret'),
  '/created': answer => answer.writeHead(201).end('secret'),
  '/partial': answer => answer.writeHead(206).end('secret'),
  '/long': answer => void answer.setHeader('content-length', '1000').write('x'),
  '/long-unsaid': answer => void (answer.write('x'.repeat(600)), answer.end('x'.repeat(600))),
  '/cut': answer => answer.setHeader('content-length', '100').write('only this', () => answer.destroy()),
  '/slow': answer => void answer.write('x'),
  '/silent': () => {},
  '/to-file': answer => answer.writeHead(302, { location: '/file' }).end(),
  '/to-relative': answer => answer.writeHead(307, { location: 'file' }).end(),
  '/to-moved': answer => answer.writeHead(301, { location: `https://moved.test:${port}/file` }).end(),
  '/to-file-slowly': answer => void answer.writeHead(302, { location: '/file' }).write('x'),
  '/to-nowhere': answer => answer.writeHead(302).end(),
  '/loop': answer => answer.writeHead(302, { location: '/loop' }).end(),
  '/hop3': answer => answer.writeHead(302, { location: '/hop2' }).end(),
  '/hop2': answer => answer.writeHead(303, { location: '/to-file' }).end(),
  '/hop4': answer => answer.writeHead(308, { location: '/hop3' }).end(),
};
let asked: string[] = [];
const server = createServer(certificate, (request, answer) => {
  asked.push(request.url!);
  const to = new URL(request.url!, 'https://x').searchParams.get('to');
  if (to !== null) answer.writeHead(302, { location: to }).end();
  else pages[request.url!]?.(answer);
}).listen(0, '127.0.0.1');
await new Promise(listening => server.once('listening', listening));
const { port } = server.address() as AddressInfo;
afterAll(() => void server.closeAllConnections());

let sockets = 0;
subscribe('net.client.socket', () => sockets++);
let names = 0;
beforeEach(() => {
  asked = [];
  sockets = 0;
});

const NAMES: Record<string, string[]> = {
  'public.test': ['93.184.215.14'],
  'mixed.test': ['93.184.215.14', '10.0.0.1'],
  'mixed-v6.test': ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', 'fd00::1'],
  'nothing.test': [],
};
/** A network with the real address rules, where no name resolves to an address that may be connected to. */
const hostile: SafeFetchOptions['network'] = {
  resolve: async host => NAMES[host] ?? ['127.0.0.1'],
  isAllowed: isPublicAddress,
  ca: certificate.cert,
};
/** A network where the server of this test counts as public, under `.test` names only. */
const friendly: SafeFetchOptions['network'] = {
  resolve: async host => (host.endsWith('.test') ? ['127.0.0.1'] : ['10.0.0.1']),
  isAllowed: address => address === '127.0.0.1',
  ca: certificate.cert,
};

const fetchWith = (network: SafeFetchOptions['network'], address: string, options: Partial<SafeFetchOptions> = {}) => {
  const to = join(folder, `file-${names++}`);
  return safeFetch(address, { to, maxBytes: 900, timeoutMs: 5000, network, ...options }).then(
    bytes => ({ bytes, text: readFileSync(to, 'utf8') }),
    error => {
      expect(existsSync(to)).toBe(false);
      throw error;
    },
  );
};
const get = (path: string, options?: Partial<SafeFetchOptions>) =>
  fetchWith(friendly, `https://public.test:${port}${path}`, options);
const REFUSED = { name: 'UnusableMedia' };
/** The error for every address that is not public. */
const PRIVATE = { name: 'UnusableMedia', message: NOT_PUBLIC };

const literal = (address: string) => (address.includes(':') ? `https://[${address}]/` : `https://${address}/`);
const urls = [...new Set([...HOSTILE_URLS, ...PRIVATE_ADDRESSES.map(literal)])];

test('the table of hostile addresses has at least 150 entries', () => expect(urls.length).toBeGreaterThanOrEqual(150));

test.each(urls)('no connection is opened for %j', async url => {
  await expect(fetchWith(hostile, url)).rejects.toMatchObject(REFUSED);
  expect(sockets).toBe(0);
});

test.each(PRIVATE_ADDRESSES)('a name that resolves to %s is refused', async address => {
  expect(isPublicAddress(address)).toBe(false);
  const network = { ...hostile, resolve: async () => [address] };
  await expect(fetchWith(network, 'https://rebound.test/a.png')).rejects.toMatchObject(PRIVATE);
  await expect(fetchWith(network, literal(address))).rejects.toMatchObject(PRIVATE);
  expect(sockets).toBe(0);
});

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '93.184.215.14',
  '172.15.0.1',
  '172.32.0.1',
  '100.128.0.1',
  '2606:4700::1111',
  '2a00:1450:4001::8a',
])('%s is a public address', address => expect(isPublicAddress(address)).toBe(true));

test.each(['', 'localhost', '127.0.0.1.example', '::g', '1.2.3.4/8'])(
  '%j is not accepted as a public address',
  address => expect(isPublicAddress(address)).toBe(false),
);

test('the default network refuses localhost and 127.0.0.1', async () => {
  await expect(fetchWith(undefined, `https://localhost:${port}/file`)).rejects.toMatchObject(PRIVATE);
  await expect(fetchWith(undefined, `https://127.0.0.1:${port}/file`)).rejects.toMatchObject(PRIVATE);
  expect(asked).toEqual([]);
});

test('a file is fetched completely', async () => {
  expect(await get('/file')).toEqual({ bytes: 8, text: 'the file' });
});

test.each(['/to-file', '/to-relative', '/to-moved', '/to-file-slowly', '/hop2', '/hop3'])(
  'the redirect %s is followed to the file',
  async path => {
    expect(await get(path)).toMatchObject({ text: 'the file' });
  },
);

test.each([
  ['/missing', 'Its server answered 404, not 200'],
  ['/created', 'Its server answered 201, not 200'],
  ['/partial', 'Its server answered 206, not 200'],
  ['/long', 'larger than 900 bytes'],
  ['/long-unsaid', 'larger than 900 bytes'],
  ['/cut', 'The connection to its server failed'],
  ['/to-nowhere', 'redirects without saying where to'],
  ['/loop', 'redirects more than 3 times'],
  ['/hop4', 'redirects more than 3 times'],
])('%s is refused with the message: %s', async (path, message) => {
  await expect(get(path)).rejects.toMatchObject({ ...REFUSED, message: expect.stringContaining(message) });
});

test.each([
  ['http://public.test/', 'Only https addresses are fetched, no http: ones.'],
  ['https://u:p@public.test/', 'user name or password'],
  ['https://public.test:22/', 'Port 22 is not fetched'],
  ['public.test/a.png', 'must be an https URL'],
])('%s is refused with a message that says why', async (url, message) => {
  await expect(fetchWith(hostile, url)).rejects.toMatchObject({ message: expect.stringContaining(message) });
});

test('an unknown host name gets the same error as a private one', async () => {
  const unknown = async () => Promise.reject(new Error('getaddrinfo ENOTFOUND'));
  for (const resolve of [unknown, async () => [], async () => ['10.0.0.1']])
    await expect(fetchWith({ ...hostile, resolve }, 'https://inside.test/')).rejects.toMatchObject(PRIVATE);
});

test.each([
  ...PRIVATE_ADDRESSES.filter(address => address !== '127.0.0.1').map(literal),
  'http://public.test/file',
  'file:///etc/passwd',
  'https://u:p@public.test/file',
])('a redirect to %s is not followed', async to => {
  await expect(get(`/?to=${encodeURIComponent(to)}`)).rejects.toMatchObject(PRIVATE);
  expect(sockets).toBe(1);
});

test('every redirect resolves the host again, and a name that now resolves to a private address is refused', async () => {
  let answers = [['127.0.0.1'], ['169.254.169.254']];
  const network = { ...friendly, resolve: async () => answers.shift()! };
  await expect(fetchWith(network, `https://rebound.test:${port}/to-file`)).rejects.toMatchObject(REFUSED);
  expect(asked).toEqual(['/to-file']);
  answers = [['127.0.0.1'], ['127.0.0.1']];
  expect(await fetchWith(network, `https://rebound.test:${port}/to-file`)).toMatchObject({ bytes: 8 });
});

test('a connection that ends up at another address than the resolved one is not used', async () => {
  // the system connects 0.0.0.0 to the machine itself
  const network = { ...friendly, resolve: async () => ['0.0.0.0'], isAllowed: () => true };
  await expect(fetchWith(network, `https://public.test:${port}/file`)).rejects.toMatchObject(REFUSED);
  expect(asked).toEqual([]);
});

test('the certificate must be trusted and must match the host name', async () => {
  await expect(fetchWith(friendly, `https://other.test:${port}/file`)).rejects.toMatchObject(REFUSED);
  const trusting = { ...friendly, ca: makeCertificate(['public.test']).cert };
  await expect(fetchWith(trusting, `https://public.test:${port}/file`)).rejects.toMatchObject(REFUSED);
  expect(asked).toEqual([]);
});

test.each(['/slow', '/silent'])('%s fails at the time limit', async path => {
  await expect(get(path, { timeoutMs: 300 })).rejects.toThrow('did not arrive within 0.3 seconds');
});

test('a hanging resolver fails at the time limit', async () => {
  const network = { ...friendly, resolve: () => new Promise<string[]>(() => {}) };
  await expect(fetchWith(network, 'https://public.test/', { timeoutMs: 100 })).rejects.toMatchObject(REFUSED);
});

test('an aborted fetch rejects with the reason of the caller', async () => {
  const giveUp = new AbortController();
  const pending = get('/silent', { signal: giveUp.signal });
  giveUp.abort(new Error('cancelled'));
  await expect(pending).rejects.toThrow('cancelled');
});
