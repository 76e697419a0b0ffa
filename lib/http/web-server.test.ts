import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openWebServer, type WebServer } from '#lib/http/web-server';

let web: WebServer;
let port: number;

beforeEach(async () => {
  web = await openWebServer('127.0.0.1', 0);
  // Next registers such a listener too, also in production
  web.server.on('upgrade', () => {});
  port = (web.server.address() as AddressInfo).port;
});

afterEach(() => web.close());

const KEPT = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

const get = () => fetch(`http://127.0.0.1:${port}/`).then(answer => answer.text());

function send(text: string): Promise<string> {
  return new Promise((done, failed) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', chunk => (received += String(chunk)));
    socket.on('close', () => done(received)).on('error', failed);
  });
}

test('the error for a port in use names the setting to change', async () => {
  await expect(openWebServer('127.0.0.1', port)).rejects.toThrow(
    `Port ${port} is taken. Stop what uses it, or set PORT`,
  );
});

test('the inactivity and keep-alive timeouts are longer than a minute', () => {
  expect(web.server.timeout).toBeGreaterThan(60_000);
  expect(web.server.keepAliveTimeout).toBeGreaterThan(60_000);
});

test('requests that arrive before a handler is set are answered once it is', async () => {
  const arrived = new Promise(done => web.server.once('request', done));
  const early = get();
  await arrived;
  web.serve((_, outgoing) => outgoing.end('ready'));
  expect(await early).toBe('ready');
  expect(await get()).toBe('ready');
});

test('data that is not HTTP gets 400, unless a response is already being sent', async () => {
  web.serve((_, outgoing) => {
    outgoing.writeHead(200, { 'content-length': 2_000 });
    outgoing.write('a'.repeat(1_000));
  });
  expect(await send('no HTTP\r\n\r\n')).toContain('HTTP/1.1 400');
  const socket = connect(port, '127.0.0.1', () => socket.write(KEPT));
  let received = '';
  socket.on('data', chunk => (received += String(chunk)));
  await expect.poll(() => received).toMatch(/a{1000}$/);
  socket.write('no HTTP\r\n\r\n');
  await once(socket, 'close');
  expect(received).toMatch(/a{1000}$/);
});

test('closing lets a request in progress finish and accepts no new one', async () => {
  const { promise, resolve } = Promise.withResolvers<ServerResponse>();
  web.serve((_, outgoing) => resolve(outgoing));
  const running = get();
  const outgoing = await promise;
  const closed = web.close();
  await expect(get()).rejects.toThrow();
  outgoing.end('finished');
  expect(await running).toBe('finished');
  await closed;
});

test('a request on a keep-alive connection is answered with "connection: close" while the server closes', async () => {
  web.serve((_, outgoing) => outgoing.end('served'));
  const socket = connect(port, '127.0.0.1', () => socket.write(KEPT)).setEncoding('utf8');
  const [first] = (await once(socket, 'data')) as [string];
  expect(first).toContain('Connection: keep-alive');
  socket.write(KEPT);
  const closed = web.close();
  const [second] = (await once(socket, 'data')) as [string];
  expect(second).toMatch(/^HTTP\/1.1 200 [^]*connection: close\r\n[^]*served/);
  await once(socket, 'close');
  await closed;
});

test('a request that offers another protocol is answered over HTTP/1.1', async () => {
  web.serve((_, outgoing) => outgoing.end('plain'));
  const offer = 'Connection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n';
  expect(await send(`GET / HTTP/1.1\r\nHost: x\r\n${offer}`)).toContain('plain');
});

test('an open WebSocket does not prevent the server from closing', async () => {
  const sockets = await openWebServer('127.0.0.1', 0, true);
  const upgraded = new Promise(done => sockets.server.once('upgrade', done));
  const socket = connect((sockets.server.address() as AddressInfo).port, '127.0.0.1', () =>
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
  );
  await upgraded;
  await sockets.close();
});

test.each([
  [
    'both lengths',
    'POST /v1/x HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  ['garbage', 'GARBAGE\r\n\r\n', 400],
  ['headers too long', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
])('a request with %s is refused in the error envelope', async (_name, text, status) => {
  web.serve((_incoming, outgoing) => outgoing.end());
  const [head, body] = (await send(text)).split('\r\n\r\n');
  expect(head).toContain(`HTTP/1.1 ${status} `);
  const { error } = JSON.parse(body!) as { error: { message: string } };
  const { message } = error;
  expect(error).toEqual({ code: 'invalid_request', message, issues: [{ path: '', message: expect.any(String) }] });
});
