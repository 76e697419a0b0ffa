import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { env } from '#lib/env';
import { inPace } from '#lib/http/body-pace';
import { addressOf } from '#lib/http/client-address';
import { letBodyIn } from '#lib/http/limit-bodies';
import { MAX_BODY_BYTES } from '#lib/http/read-json';
import { openWebServer, type WebServer } from '#lib/http/web-server';

let web: WebServer;
let asked: IncomingMessage[];
afterEach(() => web.close());

/** Reads bodies at /read, their beginning at /begun, makes web streams of them at /handed; else answers immediately. */
async function open(perSecond: number): Promise<void> {
  Object.assign(env(), { LIMIT_BODY_BYTES_PER_ADDRESS: perSecond, LIMIT_BODY_SECONDS: 1 });
  web = await openWebServer('127.0.0.1', 0);
  asked = [];
  web.serve(async (incoming, outgoing) => {
    asked.push(incoming);
    if (!(await letBodyIn(incoming, outgoing))) return;
    await read(incoming).then(
      had => outgoing.end(`${incoming.url} had ${had}`),
      // the client disconnected
      () => outgoing.destroy(),
    );
  });
}

async function read(incoming: IncomingMessage): Promise<number> {
  let had = 0;
  if (incoming.url?.endsWith('/unread')) return had;
  if (incoming.url === '/handed') return Readable.toWeb(incoming) && had;
  const body: AsyncIterable<Buffer> = incoming.iterator({ destroyOnReturn: false });
  const isDeclared = incoming.headers['content-length'] !== undefined;
  for await (const piece of isDeclared ? body : inPace(body, addressOf(incoming))) {
    had += piece.length;
    if (incoming.url === '/begun') break;
  }
  return had;
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

test('a body over the rate of its address is delayed, while other addresses and file uploads are not', async () => {
  await open(5_000);
  expect(await send('127.0.0.7', 5_000)).toContain('/read had 5000');
  const order: string[] = [];
  const late = send('127.0.0.7', 2_000).then(answer => order.push(answer));
  await send('127.0.0.8', 500).then(() => order.push('another one’s'));
  const file = reach('127.0.0.7');
  file.write(post('/media/x', 500).replace('POST', 'PUT'));
  await text(file).then(() => order.push('a file'));
  await late;
  expect(order).toEqual(['another one’s', 'a file', expect.stringContaining('/read had 2000')]);
});

test('a body that would be delayed for too long is refused with 429 too_many_requests', async () => {
  await open(100);
  const answer = await send('127.0.0.9', 4_000);
  expect(answer).toMatch(/^HTTP\/1.1 429 .*retry-after: 1\b.*"too_many_requests"/is);
});

test('file uploads are not rate-limited, and a body over the size limit counts only up to that limit', async () => {
  await open(100);
  const file = reach('127.0.0.14');
  file.write(post('/media/x', 40_000).replace('POST', 'PUT'));
  expect(await text(file)).toContain('/media/x had 40000');
  Object.assign(env(), { LIMIT_BODY_BYTES_PER_ADDRESS: MAX_BODY_BYTES });
  const large = reach('127.0.0.14');
  large.write('POST /unread HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\nConnection: close\r\n\r\n');
  expect(await text(large)).toContain('/unread had 0');
});

const CHUNKED = 'Transfer-Encoding: chunked\r\nConnection: close';
const chunk = (bytes: number) => `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`;

test('a body of undeclared length is counted while it is read, even if the client disconnects', async () => {
  await open(1_000);
  const socket = reach('127.0.0.10');
  socket.write(`POST /read HTTP/1.1\r\nHost: x\r\n${CHUNKED}\r\n\r\n${chunk(1_300)}`);
  await once(web.server, 'request');
  socket.write(chunk(0));
  expect(await text(socket)).toContain('/read had 1300');
  expect(await send('127.0.0.10', 1_000)).toContain('429');

  const another = reach('127.0.0.13');
  another.write(`POST /read HTTP/1.1\r\nHost: x\r\n${CHUNKED}\r\n\r\n${chunk(1_300)}`);
  const [, outgoing] = (await once(web.server, 'request')) as [IncomingMessage, ServerResponse];
  const left = once(outgoing, 'close');
  another.destroy();
  await left;
  expect(await send('127.0.0.13', 1_000)).toContain('429');
});

test('concurrent bodies of undeclared length from one address share its rate', async () => {
  await open(1_000_000);
  const answers = Array.from({ length: 10 }, () => {
    const socket = reach('127.0.0.17');
    socket.write(`POST /read HTTP/1.1\r\nHost: x\r\n${CHUNKED}\r\n\r\n${chunk(2_000_000)}${chunk(0)}`);
    return text(socket).catch(() => 'hung up on');
  });
  expect((await Promise.all(answers)).filter(answer => answer.includes('had 2000000')).length).toBeLessThan(10);
});

test('a piece of a body of undeclared length is delayed, or refused if the delay would be too long', async () => {
  Object.assign(env(), { LIMIT_BODY_BYTES_PER_ADDRESS: 1_000, LIMIT_BODY_SECONDS: 1 });
  const pieces = (...lengths: number[]) =>
    inPace(Readable.from(lengths.map(length => Buffer.alloc(length))), '127.0.0.19');
  const begun = performance.now();
  await text(pieces(1_000, 200));
  expect(performance.now() - begun).toBeGreaterThan(150);
  await expect(text(pieces(10_000))).rejects.toMatchObject({ code: 'too_many_requests' });
});

test('a form is counted by its whole length, even above the size limit of other bodies', async () => {
  await open(MAX_BODY_BYTES);
  const socket = reach('127.0.0.18');
  const form = 'Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 24000000';
  socket.write(`POST /unread HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${form}\r\n\r\n`);
  expect(await text(socket)).toContain('429');
});

test.each(['/unread had 0', '/handed had 0', '/begun had \\d+'])(
  'a body that is not read to its end does not block the next request on the connection: %s',
  async begun => {
    await open(100_000_000);
    const socket = reach('127.0.0.11');
    socket.write(post(begun.split(' ')[0]!, 3_000_000, false) + post('/read', 10));
    expect(await text(socket)).toMatch(new RegExp(`${begun}.*/read had 10$`, 's'));
  },
);

test('the next request is answered after an unread body of undeclared length over the rate of its address', async () => {
  await open(1_300_000);
  const socket = reach('127.0.0.15');
  const piece = 'x'.repeat(225_000);
  socket.write('POST /unread HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
  for (let sent = 0; sent < 10; sent++) socket.write(`36ee8\r\n${piece}\r\n`);
  socket.write(`0\r\n\r\n${post('/read', 10)}`);
  expect(await text(socket)).toMatch(/\/unread had 0.*\/read had 10$/s);
});

test('an unread body of declared length is not counted a second time', async () => {
  await open(1_000);
  const socket = reach('127.0.0.16');
  socket.write(post('/unread', 1_300, false) + post('/read', 10));
  expect(await text(socket)).toMatch(/\/unread had 0.*\/read had 10$/s);
});

test.each([
  ['POST /unread', 'Transfer-Encoding: chunked', 100_000, 2_000_000],
  ['PUT /media/unread', 'Content-Length: 4000000', 100_000, 2_000_000],
  // for a body that is too large, only as much is counted as would be read
  ['POST /unread', 'Content-Length: 30000000', 9_000_000, 25_000_000],
])(
  'an unread body is received slowly and cut off after the time limit: %s, %s',
  async (line, length, perSecond, most) => {
    await open(perSecond);
    const socket = reach('127.0.0.12');
    socket.write(`${line} HTTP/1.1\r\nHost: x\r\n${length}\r\n\r\n`);
    const piece = 'x'.repeat(1_000_000);
    for (let sent = 0; sent < 30; sent++) socket.write(length.startsWith('Content') ? piece : `f4240\r\n${piece}\r\n`);
    let answered = '';
    await new Promise(done => socket.on('data', data => (answered += String(data))).once('close', done));
    expect(asked[0]!.socket.bytesRead).toBeLessThan(most);
    // answered once, and not a second time
    expect(answered.match(/^HTTP.*/gm)).toEqual(['HTTP/1.1 200 OK']);
  },
);
