import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { env } from '#lib/env';
import { timesReached } from '#lib/limits';
import { openWebServer, type WebServer } from '#lib/http/web-server';

let web: WebServer;
afterEach(() => web.close());

async function open(head: string, early?: string) {
  Object.assign(env(), { LIMIT_HEADER_SECONDS: 1, LIMIT_BODY_SECONDS: 1 });
  web = await openWebServer('127.0.0.1', 0);
  const arrived = Promise.withResolvers<ServerResponse | 'broken'>();
  web.serve((incoming, outgoing) => {
    incoming.resume().once('end', () => arrived.resolve(outgoing));
    outgoing.once('close', () => arrived.resolve('broken'));
    if (early) outgoing.end(early);
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
  ['sends a file by no PUT', 'POST /media/x HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc', BODY],
  ['never ends its chunks', 'POST /v1/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n', BODY],
])('a client that %s gets 408, is disconnected and is counted', async (_, head, limit) => {
  const met = () => [HEAD, BODY].map(timesReached);
  const before = met();
  const { socket } = await open(head);
  expect(await text(socket)).toMatch(/^HTTP\/1.1 408 .*invalid_request/s);
  expect(met().map((times, at) => times - before[at]!)).toEqual([Number(limit === HEAD), Number(limit === BODY)]);
});

test('a client that was answered before its body was complete gets no second response', async () => {
  const { socket } = await open('POST /v1/x HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc', 'no');
  expect(await text(socket)).not.toContain('408');
});

test('a connection whose body arrives too slowly is closed although bytes keep arriving', async () => {
  const { socket, arrived } = await open('POST /v1/x HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n');
  const drip = setInterval(() => socket.write('x'), 50);
  socket.on('error', () => {}).resume();
  await once(socket, 'close');
  clearInterval(drip);
  expect(await arrived).toBe('broken');
});

/** Waits until a later idle connection is closed; the server checks once a second. */
const othersTime = () => text(connect((web.server.address() as AddressInfo).port, '127.0.0.1'));

test('a file upload may take longer than the time limits', async () => {
  const { socket, arrived } = await open('PUT /media/x HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\na');
  await othersTime();
  socket.write('b');
  expect(await arrived).not.toBe('broken');
  socket.destroy();
});

test('a file that was refused has only the time of other bodies to arrive', async () => {
  const { socket } = await open('PUT /media/x HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\na', 'no');
  await once(socket.resume(), 'close');
});

test('a body that has arrived may wait to be read', async () => {
  web = await openWebServer('127.0.0.1', 0);
  Object.assign(env(), { LIMIT_BODY_SECONDS: 1 });
  const met = timesReached(BODY);
  web.serve(async (incoming, outgoing) => {
    await othersTime();
    outgoing.end(await text(incoming));
  });
  const socket = connect((web.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('POST /v1/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\nab');
  expect(await text(socket)).toMatch(/^HTTP\/1.1 200 .*ab$/s);
  expect(timesReached(BODY)).toBe(met);
});

test('a response may take longer than the time limits', async () => {
  const head = 'POST /v1/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2';
  const { socket, arrived } = await open(`${head}\r\n\r\nab`);
  const outgoing = (await arrived) as ServerResponse;
  await othersTime();
  outgoing.end('made');
  expect(await text(socket)).toContain('made');
});
