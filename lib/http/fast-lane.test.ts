import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { env } from '#lib/env';
import { loadFastLane, rou3Pattern } from '#lib/http/fast-lane';
import { asReaderOf } from '#lib/http/limit-reads';
import { timesReached } from '#lib/limits';

process.env.LOG_LEVEL = 'silent';

const REFUSE = `export const OPTIONS = request => new Response(request.method, { status: 405, headers: { allow: 'GET' } });`;
const ECHO = `${REFUSE} export const GET = async (request, { params }) => Response.json(await params);`;
const ROUTES: Record<string, string> = {
  'v1/things/route.ts': `${ECHO} export const POST = async request => new Response(await request.text(), { status: 201 });`,
  'v1/things/[id]/route.ts': `${ECHO} export const DELETE = () => new Response(null, { status: 204 });`,
  'v1/things/latest/route.ts': `export const GET = () => new Response('latest');`,
  'v1/broken/route.ts': `export const GET = () => { throw new Error('secret'); };`,
  'v1/away/route.ts': `export const GET = () => new Response(null, { status: 503 });`,
  'v1/large/route.ts': `export const GET = request => globalThis.readLarge(request);`,
  'media/[...key]/route.ts': ECHO,
  'openai/v1/models/[model]/route.ts': ECHO,
  'openai/[[...path]]/route.ts': `export const OPTIONS = async request => new Response('nothing', { status: 404 });`,
  'apis/elsewhere/route.ts': ECHO,
  'api/seldom/route.ts': `globalThis.wasRead = true; export const POST = async request => new Response(await request.text());`,
  'oauth/torn/route.ts': `throw new Error('secret');`,
};

let folder: string;
let server: Server;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pomona-app-'));
  for (const [file, source] of Object.entries(ROUTES)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), source);
  }
  const lane = await loadFastLane(folder);
  server = createServer((incoming, outgoing) => {
    if (!lane(incoming, outgoing)) outgoing.writeHead(299).end('next');
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
});

afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

/** Sends a request without `fetch`, which would normalise the path. */
function send(method: string, path: string, body?: string) {
  return new Promise<{ status: number; allow: string | undefined; text: string }>((done, failed) => {
    const { port } = server.address() as AddressInfo;
    const sent = request({ port, host: '127.0.0.1', method, path, agent: false }, async answer => {
      const text = Buffer.concat(await answer.toArray()).toString();
      done({ status: answer.statusCode!, allow: answer.headers.allow, text });
    });
    sent.on('error', failed).end(body);
  });
}

test.each([
  ['/v1/things/a%20b', { id: 'a b' }],
  ['/v1/things/a%2Fb?x=/v1', { id: 'a/b' }],
  ['/v1/things/%40me/', { id: '@me' }],
  ['/media/a/b%20c/d.png', { key: ['a', 'b c', 'd.png'] }],
  ['/v1/../media/./a', { key: ['a'] }],
  ['/v1/%2E%2e/media/a', { key: ['a'] }],
  ['http://host/v1/things/x', { id: 'x' }],
])('%s has the params %j', async (path, params) => {
  expect(JSON.parse((await send('GET', path)).text)).toEqual(params);
});

test('a trailing slash is ignored in GET, but DELETE of such a path or of one with dots is refused', async () => {
  expect((await send('GET', '/v1/things/x/')).status).toBe(200);
  expect((await send('DELETE', '/v1/things/x')).status).toBe(204);
  for (const path of ['/v1/things/x/', '/v1/things/x/tags/..', '/v1/things/'])
    expect((await send('DELETE', path)).status, path).toBe(400);
  // where there is one, by the catch-all route, which knows the shape of errors there
  expect(await send('DELETE', '/openai/v1/models/')).toMatchObject({ status: 404, text: 'nothing' });
  expect(await send('DELETE', '/openai/v1/models/x/')).toMatchObject({ status: 404, text: 'nothing' });
});

test('a static path segment takes precedence over a parameter', async () => {
  expect((await send('GET', '/v1/things/latest')).text).toBe('latest');
});

test('the request body reaches the route handler', async () => {
  expect(await send('POST', '/v1/things', 'hello')).toMatchObject({ status: 201, text: 'hello' });
});

test('a route under /api is loaded on its first request, and concurrent first requests are all answered', async () => {
  expect(globalThis).not.toHaveProperty('wasRead');
  const posts = Array.from({ length: 3 }, (_, index) => send('POST', '/api/seldom', `hello ${index}`));
  expect((await Promise.all(posts)).map(({ text }) => text)).toEqual(['hello 0', 'hello 1', 'hello 2']);
  expect(globalThis).toHaveProperty('wasRead');
});

test.each(['/', '/apis/elsewhere', '/v12', '/medias', '/%E0%A4%A', '/v1x/y'])('%s is left to Next', async path => {
  expect((await send('GET', path)).text).toBe('next');
});

test.each([
  ['GET', '/v1', 404, 'not_found'],
  ['GET', '/v1/nothing/here', 404, 'not_found'],
  ['GET', '/v1/things/%E0%A4%A', 404, 'not_found'],
  ['GET', '/v1/broken', 500, 'internal_error'],
  ['GET', '/oauth/torn', 500, 'internal_error'],
])('%s %s is answered with %i %s in the error envelope', async (method, path, status, code) => {
  const answer = await send(method, path);
  expect(answer.status).toBe(status);
  const docs = status === 404 && { docs_url: 'http://localhost:3000/docs' };
  const error = { code, message: expect.not.stringContaining('secret'), ...docs };
  expect(JSON.parse(answer.text)).toEqual({ error });
});

test.each(['DELETE', 'PROPFIND'])(
  '%s, which the route file does not export, is answered by its OPTIONS handler',
  async method => {
    expect(await send(method, '/v1/things')).toEqual({ status: 405, allow: 'GET', text: method });
  },
);

test.each(['/openai', '/openai/v1/x/y', '/openai/v1/models/%zz', '/openai/%E0%A4%A'])(
  '%s is answered with 404 by the catch-all route of its folder',
  async path => {
    for (const method of ['GET', 'OPTIONS', 'PROPFIND'])
      expect(await send(method, path)).toMatchObject({ status: 404, text: 'nothing' });
  },
);

test('refused requests are rate-limited per address, server errors are not', async () => {
  Object.assign(env(), { LIMIT_REFUSALS_PER_ADDRESS: 1 });
  const met = timesReached('LIMIT_REFUSALS_PER_ADDRESS');
  await Promise.all(Array.from({ length: 5 }, () => send('GET', '/v1/away')));
  expect(timesReached('LIMIT_REFUSALS_PER_ADDRESS')).toBe(met);
  Object.assign(env(), { LIMIT_REFUSALS_PER_ADDRESS: 40 });
  await Promise.all(Array.from({ length: 103 }, () => send('DELETE', '/v1/things/x/')));
  expect(timesReached('LIMIT_REFUSALS_PER_ADDRESS')).toBeGreaterThan(met);
});

test('an unread response counts against the read limit of its account until the client disconnects', async () => {
  Object.assign(env(), { LIMIT_READS_PER_ACCOUNT: 1 });
  const make = async () => new Response(Buffer.alloc(20_000_000));
  Object.assign(globalThis, { readLarge: (asked: Request) => asReaderOf('somebody', asked, make) });
  const { port } = server.address() as AddressInfo;
  const slow = request({ port, host: '127.0.0.1', path: '/v1/large', agent: false })
    .on('error', () => {})
    .end();
  await once(slow, 'response');
  const next = send('GET', '/v1/large');
  await vi.waitUntil(() => timesReached('LIMIT_READS_PER_ACCOUNT') > 0, 10_000);
  slow.destroy();
  expect((await next).status).toBe(200);
});

test('route groups are left out of path patterns, and catch-all segments become wildcards', () => {
  expect(rou3Pattern('/v1/(inner)/[a]/[...rest]')).toBe('/v1/:a/**:rest');
  expect(rou3Pattern('/v1/[[...rest]]')).toBe('/v1/:rest*');
});
