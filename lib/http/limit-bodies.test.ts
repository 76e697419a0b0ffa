import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { env } from '#lib/env';
import { letBodyIn } from '#lib/http/limit-bodies';
import { openWebServer, type WebServer } from '#lib/http/web-server';

let web: WebServer;
let asked: IncomingMessage[];
afterEach(() => web.close());

/** Reads bodies at /read, and answers at once elsewhere. */
async function open(perSecond: number): Promise<void> {
  Object.assign(env(), { LIMIT_BODY_BYTES_PER_ADDRESS: perSecond, LIMIT_BODY_SECONDS: 1 });
  web = await openWebServer('127.0.0.1', 0);
  asked = [];
  web.serve(async (incoming, outgoing) => {
    asked.push(incoming);
    if (!(await letBodyIn(incoming, outgoing))) return;
    const body = incoming.url === '/read' ? await text(incoming) : '';
    outgoing.end(`${incoming.url} had ${body.length}`);
  });
}

function reach(localAddress: string): Socket {
  const { port } = web.server.address() as AddressInfo;
  return connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {});
}

const post = (path: string, bytes: number, close = true) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n${close ? 'Connection: close\r\n' : ''}\r\n${'x'.repeat(bytes)}`;

async function send(localAddress: string, bytes: number): Promise<string> {
  const socket = reach(localAddress);
  socket.write(post('/read', bytes));
  return text(socket);
}

test('a body beyond the pace of its address waits, others come in', async () => {
  await open(1_000);
  expect(await send('127.0.0.7', 5_000)).toContain('/read had 5000');
  const order: string[] = [];
  const late = send('127.0.0.7', 400).then(answer => order.push(answer));
  await send('127.0.0.8', 500).then(() => order.push('another one’s'));
  await late;
  expect(order).toEqual(['another one’s', expect.stringContaining('/read had 400')]);
});

test('429 rate_limited: it would have to wait too long', async () => {
  await open(100);
  const answer = await send('127.0.0.9', 4_000);
  expect(answer).toMatch(/^HTTP\/1.1 429 .*retry-after: 1\b.*"rate_limited"/is);
});

test('bodies without a length count when they were read', async () => {
  await open(1_000);
  const socket = reach('127.0.0.10');
  const chunk = 'x'.repeat(5_300);
  const arrived = once(web.server, 'request');
  socket.write('POST /read HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n');
  await arrived;
  socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n0\r\n\r\n`);
  expect(await text(socket)).toContain('/read had 5300');
  expect(await send('127.0.0.10', 1_000)).toContain('429');
});

test('what nobody reads makes way for the next request', async () => {
  await open(1_000_000);
  const socket = reach('127.0.0.11');
  socket.write(post('/unread', 200_000, false) + post('/read', 10));
  expect(await text(socket)).toMatch(/\/unread had 0.*\/read had 10$/s);
});

test('what nobody reads comes in slowly, and ends with its time', async () => {
  await open(100_000);
  const socket = reach('127.0.0.12');
  socket.write('POST /unread HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
  const piece = 'x'.repeat(1_000_000);
  for (let sent = 0; sent < 20; sent++) socket.write(`f4240\r\n${piece}\r\n`);
  await new Promise(done => socket.resume().once('close', done));
  expect(asked[0]!.socket.bytesRead).toBeLessThan(2_000_000);
});
