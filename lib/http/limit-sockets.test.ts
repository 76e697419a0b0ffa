import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { env } from '#lib/env';
import { limitSockets } from '#lib/http/limit-sockets';
import { metrics } from '#lib/http/metrics';
import { timesReached } from '#lib/limits';

const RESERVED = 256;
let server: Server;

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function listen(limits: Partial<ReturnType<typeof env>>, descriptors?: number): Promise<void> {
  Object.assign(env(), { LIMIT_SOCKETS: 1_000, LIMIT_SOCKETS_PER_ADDRESS: 1_000, TRUST_PROXY: 0 }, limits);
  // longer than any test takes
  server = createServer({ keepAliveTimeout: 60_000 });
  limitSockets(server, descriptors);
  await once(server.listen(0, '127.0.0.1'), 'listening');
}

/** Opens a connection and waits until the server has accepted it. */
async function open(localAddress = '127.0.0.1'): Promise<Socket> {
  const { port } = server.address() as AddressInfo;
  const seen = once(server, 'connection');
  const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {});
  await Promise.all([seen, once(socket, 'connect')]);
  return socket;
}

async function ask(socket: Socket, text: string): Promise<ServerResponse> {
  const asked = once(server, 'request');
  socket.write(text);
  return (await asked)[1] as ServerResponse;
}

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
/** Expects that the server still answers on the connection. */
async function expectServed(socket: Socket): Promise<void> {
  (await ask(socket, GET)).end('served');
  expect(String(await once(socket, 'data'))).toContain('served');
}

const closed = (socket: Socket) => once(socket.resume(), 'close');
const isOpen = (socket: Socket) => !socket.destroyed;

test('when the limit is reached, a new connection replaces the one that has been idle longest', async () => {
  await listen({ LIMIT_SOCKETS: 3 });
  const silent = [await open(), await open(), await open()];
  const newcomer = await open();
  await closed(silent[0]!);
  expect([...silent.slice(1), newcomer].every(isOpen)).toBe(true);
  await expectServed(newcomer);
  expect(timesReached('LIMIT_SOCKETS')).toBeGreaterThan(0);
});

test('each of several simultaneous new connections replaces a different idle one', async () => {
  await listen({ LIMIT_SOCKETS: 2 });
  const silent = [await open(), await open()];
  await Promise.all([open(), open(), ...silent.map(closed)]);
  expect((await metrics().connections.get()).values[0]!.value).toBe(2);
});

test('a connection is not closed while its request is answered, and counts as newly idle afterwards', async () => {
  await listen({ LIMIT_SOCKETS: 2 });
  const busy = await open();
  const answer = await ask(busy, GET);
  const silent = await open();
  const newcomer = await open();
  await closed(silent);
  const done = once(answer, 'close');
  answer.end();
  await done;
  await open();
  await closed(newcomer);
  expect(isOpen(busy)).toBe(true);
  await open();
  await closed(busy);
});

test('a connection whose request body is incomplete counts as idle', async () => {
  await listen({ LIMIT_SOCKETS: 1 });
  const dripping = await open();
  await ask(dripping, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nx');
  await open();
  await closed(dripping);
});

test('a new connection is closed when all others are answering requests', async () => {
  await listen({ LIMIT_SOCKETS: 1 });
  const busy = await open();
  await ask(busy, GET);
  await closed(await open());
  expect(isOpen(busy)).toBe(true);
});

test.runIf(process.platform === 'linux')('one address cannot open more connections than its limit', async () => {
  await listen({ LIMIT_SOCKETS_PER_ADDRESS: 2 });
  const greedy = [await open('127.0.0.2'), await open('127.0.0.2')];
  await closed(await open('127.0.0.2'));
  const other = await open('127.0.0.3');
  for (const socket of [...greedy, other]) await expectServed(socket);
  greedy[0]!.destroy();
  await expect.poll(() => new Promise<number>(done => server.getConnections((_, n) => done(n)))).toBe(2);
  await expectServed(await open('127.0.0.2'));
});

test.runIf(process.platform === 'linux')('the limit per address does not apply behind a trusted proxy', async () => {
  await listen({ LIMIT_SOCKETS_PER_ADDRESS: 1, TRUST_PROXY: 1 });
  for (const socket of [await open('127.0.0.2'), await open('127.0.0.2')]) await expectServed(socket);
});

test.each([
  [2, RESERVED + 2],
  [1, RESERVED],
])('at most %i connections stay open when the process may open %i files', async (most, descriptors) => {
  await listen({}, descriptors);
  const silent: Socket[] = [];
  while (silent.length < most) silent.push(await open());
  const newcomer = await open();
  await closed(silent[0]!);
  await expectServed(newcomer);
});
