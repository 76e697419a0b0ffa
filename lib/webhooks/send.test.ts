import { createServer } from 'node:https';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import type { TestNetwork } from '#lib/media/guarded-agent';
import { HOSTILE_URLS, PRIVATE_ADDRESSES } from '#lib/media/hostile-test-addresses';
import { isPublicAddress } from '#lib/media/public-address';
import { NOT_PUBLIC } from '#lib/media/remote-address';
import { makeCertificate } from '#lib/media/test-certificate';
import { sendMessage } from '#lib/webhooks/send';

let bytesSaid = 0;
function* endless() {
  for (;;) {
    bytesSaid += 10_000;
    yield 'x'.repeat(10_000);
  }
}

const certificate = makeCertificate(['public.test']);
const pages: Record<string, (answer: ServerResponse) => void> = {
  '/ok': answer => answer.writeHead(200).end('thanks\0'),
  '/no': answer => answer.writeHead(500).end('broken'),
  '/inside': answer => answer.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end(),
  '/elsewhere': answer => answer.writeHead(307, { location: '/ok' }).end(),
  '/endless': answer => {
    answer.writeHead(200);
    pipeline(endless(), answer, () => {});
  },
  '/cut': answer => answer.writeHead(200, { 'content-length': '100' }).write('part', () => answer.destroy()),
};
let asked: string[] = [];
let sent = '';
const server = createServer(certificate, async (request, answer) => {
  asked.push(`${request.method} ${request.url}`);
  for await (const chunk of request) sent += String(chunk);
  pages[request.url!]?.(answer);
}).listen(0, '127.0.0.1');
await new Promise(listening => server.once('listening', listening));
const { port } = server.address() as AddressInfo;
afterAll(() => void server.closeAllConnections());
beforeEach(() => {
  asked = [];
  sent = '';
});

/** A network in which the test server is a public host, `public.test`. */
const friendly: TestNetwork = {
  resolve: async (host: string) => (host === 'public.test' ? ['127.0.0.1'] : ['10.0.0.1']),
  isAllowed: (address: string) => address === '127.0.0.1',
  ca: certificate.cert,
};
/** A network in which all hosts resolve to the local machine, and only public addresses are allowed. */
const hostile: TestNetwork = { ...friendly, resolve: async () => ['127.0.0.1'], isAllowed: isPublicAddress };

const send = (path: string, network = friendly) =>
  sendMessage({
    url: path.startsWith('/') ? `https://public.test:${port}${path}` : path,
    headers: { 'webhook-id': 'one' },
    body: '{"a":1}',
    network,
  });

test('a message is posted unchanged, and the answer is kept', async () => {
  expect(await send('/ok')).toMatchObject({ status: 200, answer: 'thanks\uFFFD', error: null });
  expect(asked).toEqual(['POST /ok']);
  expect(sent).toBe('{"a":1}');
  expect(await send('/no')).toMatchObject({ status: 500, answer: 'broken' });
});

test('redirects are not followed', async () => {
  expect(await send('/inside')).toMatchObject({ status: 302 });
  expect(await send('/elsewhere')).toMatchObject({ status: 307 });
  expect(asked).toEqual(['POST /inside', 'POST /elsewhere']);
});

test('only the beginning of an endless answer is read, and a truncated answer counts as an answer', async () => {
  expect(await send('/endless')).toMatchObject({ status: 200, answer: 'x'.repeat(1_000) });
  expect(bytesSaid).toBeLessThan(50_000_000);
  expect(await send('/cut')).toMatchObject({ status: 200, error: null });
});

test('an attempt without an answer ends after 15 seconds', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort(new Error('late')));
  expect(await send('/silent')).toMatchObject({ status: null, error: 'No answer within 15 seconds.' });
  expect(timeout).toHaveBeenCalledWith(15_000);
  timeout.mockRestore();
});

test.each([
  ...HOSTILE_URLS,
  ...PRIVATE_ADDRESSES.map(address => `https://${address.includes(':') ? `[${address}]` : address}/`),
  'https://inside.test/',
])('nothing is sent to %s', async address => {
  const made = await send(address, hostile);
  expect(made).toMatchObject({ status: null, answer: '' });
  expect(made.error).toBeTruthy();
  expect(asked).toEqual([]);
});

test('the error for a non-public address reveals nothing about the internal network', async () => {
  expect((await send('https://inside.test/', hostile)).error).toBe(NOT_PUBLIC);
});
