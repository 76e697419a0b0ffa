import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { env } from '#lib/env';
import { timesReached } from '#lib/limits';
import { openWebServer, type WebServer } from '#lib/http/web-server';

let web: WebServer;
afterEach(() => web.close());

async function open(head: string) {
  Object.assign(env(), { LIMIT_HEADER_SECONDS: 1, LIMIT_BODY_SECONDS: 1 });
  web = await openWebServer('127.0.0.1', 0);
  const arrived = Promise.withResolvers<string | undefined>();
  web.serve((incoming, outgoing) => {
    incoming.resume().once('end', () => arrived.resolve('whole'));
    outgoing.once('close', () => arrived.resolve('broken'));
  });
  const socket = connect((web.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(head);
  return { socket, arrived: arrived.promise };
}

const [HEAD, BODY] = ['LIMIT_HEADER_SECONDS', 'LIMIT_BODY_SECONDS'] as const;

test.each([
  ['says nothing', '', HEAD],
  ['never ends its head', 'GET / HTTP/1.1\r\nHost: x\r\n', HEAD],
  ['never ends its body', 'POST /v1/x HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc', BODY],
  ['never ends its chunks', 'POST /v1/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n', BODY],
])('whoever %s is hung up on, with 408, and counted', async (_, head, limit) => {
  const met = () => [HEAD, BODY].map(timesReached);
  const before = met();
  const { socket } = await open(head);
  expect(await text(socket)).toMatch(/^HTTP\/1.1 408 .*invalid_request/s);
  expect(met().map((times, at) => times - before[at]!)).toEqual([Number(limit === HEAD), Number(limit === BODY)]);
});

test('dripping does not help', async () => {
  const { socket, arrived } = await open('POST /v1/x HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n');
  const drip = setInterval(() => socket.write('x'), 50);
  socket.on('error', () => {}).resume();
  await once(socket, 'close');
  clearInterval(drip);
  expect(await arrived).toBe('broken');
});

test('a file may take longer', async () => {
  const { socket, arrived } = await open('PUT /media/x HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\na');
  // the check that hangs up on others runs once a second
  const other = connect((web.server.address() as AddressInfo).port, '127.0.0.1');
  await text(other);
  socket.write('b');
  expect(await arrived).toBe('whole');
  socket.destroy();
});
