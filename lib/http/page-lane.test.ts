import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { env } from '#lib/env';
import { createPageLane } from '#lib/http/page-lane';
import { timesReached } from '#lib/limits';
import { singletons } from '#lib/singleton';

process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-pages-'));

const NONCE = /'nonce-([^']+)'/;
let server: Server;
let revision = 'one';

/** Stand-in for Next: puts the nonce of the request's policy on every script. */
const next = vi.fn((incoming: IncomingMessage, outgoing: ServerResponse): void | Promise<void> => {
  const nonce = NONCE.exec(String(incoming.headers['content-security-policy']))?.[1];
  const isThere = incoming.url !== '/docs/nothing';
  outgoing.writeHead(isThere ? 200 : 404, {
    'content-type': 'text/html',
    'cache-control': 'private',
    link: `</a>; nonce="${nonce}"`,
  });
  outgoing.write(`<script nonce="${nonce}"><style nonce="${nonce}">`);
  outgoing.end(Buffer.from(`é ${revision}`));
});

beforeEach(async () => {
  next.mockClear();
  revision = 'one';
  Object.assign(env(), { LIMIT_PAGES_PER_ADDRESS: 1_000, TRUST_PROXY: 0 });
  await serve();
});
afterEach(() => server.close());

async function serve(): Promise<void> {
  const lane = createPageLane(next, {
    revision: () => revision,
    parseState: () => {},
    build: String(process.env.DATA_DIR),
    dev: false,
  });
  server = createServer(async (incoming, outgoing) => {
    if (incoming.headers['x-leaves']) await once(outgoing, 'close');
    lane(incoming, outgoing);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
}

async function get(path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  const { port } = server.address() as AddressInfo;
  const answer = await request(`http://127.0.0.1:${port}${path}`, { headers, method });
  const body = Buffer.from(await answer.body.arrayBuffer());
  return { status: answer.statusCode, headers: answer.headers, body, text: String(body) };
}

test('a public page is rendered once, and each response has its own nonce', async () => {
  const answers = [await get('/docs'), await get('/docs'), await get('/docs')];
  expect(next).toHaveBeenCalledOnce();
  const nonces = answers.map(({ headers, text }) => {
    const nonce = NONCE.exec(String(headers['content-security-policy']))?.[1];
    expect(text).toBe(`<script nonce="${nonce}"><style nonce="${nonce}">é one`);
    expect(headers).toMatchObject({
      'content-type': 'text/html',
      'cache-control': 'private',
      link: `</a>; nonce="${nonce}"`,
    });
    return nonce;
  });
  expect(new Set(nonces).size).toBe(3);
});

test('concurrent requests for a page share one rendering', async () => {
  await Promise.all(Array.from({ length: 20 }, () => get('/')));
  expect(next).toHaveBeenCalledOnce();
});

test('a slow first reader of a page does not delay other readers', async () => {
  next.mockImplementationOnce(async (_, outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'private' });
    for (let megabytes = 0; megabytes < 20; megabytes++)
      if (!outgoing.write(Buffer.alloc(1_000_000, 'x'))) await once(outgoing, 'drain');
    outgoing.end();
  });
  const slow = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  slow.write('GET /docs HTTP/1.1\r\nHost: x\r\n\r\n');
  await vi.waitUntil(() => next.mock.calls.length > 0, 30_000);
  expect(await get('/docs')).toMatchObject({ status: 200 });
  expect(next).toHaveBeenCalledOnce();
  slow.destroy();
});

test('a client that disconnects before a page is rendered does not delay other readers', async () => {
  next.mockImplementationOnce(() => {});
  const gone = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const arrived = once(server, 'request');
  gone.write('GET /docs HTTP/1.1\r\nHost: x\r\nX-Leaves: 1\r\n\r\n');
  await arrived;
  gone.destroy();
  await vi.waitUntil(() => next.mock.calls.length > 0, 30_000);
  expect((await get('/docs')).text).toContain('é one');
});

test('a public page is rendered again after the catalog has changed', async () => {
  await get('/docs');
  revision = 'two';
  expect((await get('/docs')).text).toContain('two');
  expect((await get('/docs')).text).toContain('two');
  expect(next).toHaveBeenCalledTimes(2);
});

test('the start page is rendered again after five seconds, other public pages are not', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  await Promise.all([get('/'), get('/docs')]);
  await vi.advanceTimersByTimeAsync(5_000);
  await Promise.all([get('/'), get('/docs')]);
  vi.useRealTimers();
  expect(next).toHaveBeenCalledTimes(3);
});

test('request headers of one client do not affect the page that others get', async () => {
  next.mockImplementationOnce(({ headers }, outgoing) => {
    // Next answers middleware prefetches with `{}`
    outgoing.end(headers['x-middleware-prefetch'] ? '{}' : String(headers['user-agent']));
  });
  const first = { 'x-middleware-prefetch': '1', 'x-forwarded-host': 'evil.example', 'user-agent': 'a robot' };
  expect(await get('/docs', first)).toMatchObject({ status: 200, text: 'undefined' });
  expect((await get('/docs')).text).toContain('é one');
  expect((await get('/docs', first)).text).toContain('é one');
  expect(next).toHaveBeenCalledTimes(2);
});

test('a public page is sent compressed to clients that accept gzip', async () => {
  await get('/docs', { 'accept-encoding': 'br, gzip' });
  await get('/', { 'accept-encoding': 'br' });
  // only encodings that the cache can decode are requested
  expect(next.mock.calls.map(([asked]) => asked.headers['accept-encoding'])).toEqual(['gzip', 'identity']);
  const { headers, body } = await get('/docs', { 'accept-encoding': 'br, gzip' });
  expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding, cookie, rsc' });
  expect(String(gunzipSync(body))).toContain('é one');
});

test.each<[string, Record<string, string>, 'HEAD'?]>([
  ['/docs', { cookie: 'theme=dark' }],
  ['/docs', { rsc: '1' }],
  ['/docs?x', {}],
  ['/history', {}],
  ['/docs/nothing', {}],
  ['/docs', {}, 'HEAD'],
])('%s with %j is rendered each time', async (path, headers, method) => {
  await get(path, headers, method);
  await get(path, headers, method);
  expect(next).toHaveBeenCalledTimes(2);
});

test('a slow page request without a session does not delay requests from another address', async () => {
  Object.assign(env(), { LIMIT_READS_PER_ACCOUNT: 1, TRUST_PROXY: 1 });
  next.mockImplementationOnce(() => {});
  const slow = get('/history', { 'x-forwarded-for': '203.0.113.8' }).catch(() => {});
  await vi.waitUntil(() => next.mock.calls.length > 0, 30_000);
  expect((await get('/history', { 'x-forwarded-for': '203.0.113.9' })).status).toBe(200);
  server.closeAllConnections();
  await slow;
});

test('pages without a valid session are limited per address; other addresses and static files are not affected', async () => {
  Object.assign(env(), { LIMIT_PAGES_PER_ADDRESS: 3, TRUST_PROXY: 1 });
  singletons.delete('accounts.limiter.LIMIT_PAGES_PER_ADDRESS');
  const from = (address: string, path = '/docs', cookie?: string) =>
    get(path, { 'x-forwarded-for': address, ...(cookie && { cookie }) });
  for (const path of ['/', '/docs', '/history?x']) expect((await from('203.0.113.1', path)).status).toBe(200);
  const refused = await from('203.0.113.1', '/docs', 'next-auth.session-token=forged');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(JSON.parse(refused.text).error.code).toBe('too_many_requests');
  expect(timesReached('LIMIT_PAGES_PER_ADDRESS')).toBe(1);
  expect((await from('203.0.113.2')).status).toBe(200);
  expect((await from('203.0.113.1', '/_next/static/x.js')).status).toBe(200);
});
