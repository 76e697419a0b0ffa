import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { env } from '#lib/env';
import { refuseOddPage, refuseOddTarget } from '#lib/http/guard';
import { timesReached } from '#lib/limits';

let server: Server;

/** Stand-in for Next's parser: accepts a missing header, or one that it can parse. */
const parseState = (header: unknown) => header === undefined || JSON.parse(decodeURIComponent(String(header))).at(0);

beforeAll(async () => {
  server = createServer((incoming, outgoing) => {
    if (refuseOddTarget(incoming, outgoing)) return;
    if (incoming.url === '/v1/host') return outgoing.end(`host ${incoming.headers.host}`);
    if (incoming.url?.startsWith('/v1')) return outgoing.end(`lane ${incoming.url}`);
    if (!refuseOddPage(incoming, outgoing, parseState)) outgoing.end(`page ${incoming.url}`);
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
});

afterAll(() => server.close());

async function send(line: string, headers = ''): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(`${line} HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`);
  return text(socket);
}

test.each([
  ['GET /docs?x=%', 'page /docs?x=%'],
  ['HEAD /docs', ''],
  ['GET http://other.example/docs?x', 'page /docs?x'],
  ['GET HTTPS://other.example', 'page /'],
  ['DELETE http://other.example/v1/x', 'lane /v1/x'],
  ['GET /caf%C3%A9', 'page /caf%C3%A9'],
])('%s is passed on as %j', async (line, expected) => {
  const [head, body] = (await send(line)).split('\r\n\r\n');
  expect(head).toContain('200 OK');
  expect(body).toContain(expected);
});

test('HTTP/1.0 needs no Host', async () => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET /v1/host HTTP/1.0\r\n\r\n');
  expect(await text(socket)).toContain(`host ${new URL(env().BASE_URL).host}`);
});

test.each(['GET /history/%', 'GET /create/%ff', 'GET /docs/a%00b', 'GET /_next/image?url=x', 'GET /_next/image/'])(
  '%s is passed on as a request for the not-found page',
  async line => expect(await send(line)).toContain('page /404'),
);

test.each([
  ['OPTIONS *', 400, 'invalid_request'],
  ['GET ftp://other.example/', 400, 'invalid_request'],
  ['TRACE /docs', 405, 'method_not_allowed'],
  ['PURGE /docs', 405, 'method_not_allowed'],
  ['POST /docs', 405, 'method_not_allowed'],
  ['OPTIONS /docs', 405, 'method_not_allowed'],
])('%s is refused with %i in the error envelope', async (line, status, code) => {
  const answer = await send(line);
  expect(answer).toContain(`HTTP/1.1 ${status} `);
  expect(answer).toMatch(/x-request-id: [0-9a-f-]{36}\r\n/i);
  expect(answer.toLowerCase().includes('\r\nallow: get, head')).toBe(status === 405);
  expect(answer).toContain(`{"error":{"code":"${code}","message":"`);
});

test('a path too long to be repeated in a redirect is refused with 400', async () => {
  const longest = `/docs/${'x'.repeat(6_993)}/`;
  expect(await send(`GET ${longest}`)).toContain('200 OK');
  expect(await send(`GET ${longest}x`)).toMatch(/^HTTP\/1\.1 400 .*"invalid_request".*over 7000 characters/s);
});

test('a page request is refused with 400 if Next cannot parse its router state header', async () => {
  const state = encodeURIComponent(JSON.stringify(['', { children: ['docs', {}] }, null, null]));
  expect(await send('GET /docs', `Next-Router-State-Tree: ${state}\r\n`)).toContain('page /docs');
  for (const odd of ['1', '%', '{}', `${state}x`])
    expect(await send('GET /docs', `RSC: 1\r\nNext-Router-State-Tree: ${odd}\r\n`), odd).toContain('400 Bad Request');
});

test('refused requests are rate-limited per address', async () => {
  Object.assign(env(), { LIMIT_REFUSALS_PER_ADDRESS: 40 });
  const met = timesReached('LIMIT_REFUSALS_PER_ADDRESS');
  await Promise.all(Array.from({ length: 103 }, () => send('OPTIONS *')));
  expect(timesReached('LIMIT_REFUSALS_PER_ADDRESS')).toBeGreaterThan(met);
});
