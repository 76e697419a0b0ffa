import { randomUUID } from 'node:crypto';
import type { APIResponse } from '@playwright/test';
import { Agent } from '../agent.ts';
import { refusal } from '../customer.ts';
import { expect, test } from '../fixtures.ts';
import type { House } from '../house.ts';
import { openMember, pageOf } from '../member.ts';
import { raw } from '../raw-http.ts';

// the layers between a socket and a handler

/** Skips a test under plain `next start`, which lacks the guards of server.ts. */
const throughServer = () => test.skip(test.info().project.name === 'api-next', 'Next alone has no guard before it');

test('the image optimizer of Next (/_next/image) answers 404', async ({ customer, baseURL }) => {
  const { result } = await customer.generate({ architecture: 'z_image', body: { prompt: 'a pear' } });
  const url = encodeURIComponent(new URL(result.url).pathname);
  for (const path of [
    `/_next/image?url=${url}&w=640&q=75`,
    `/_next/image?url=${encodeURIComponent(result.url)}&w=64&q=1`,
  ]) {
    const answer = await fetch(baseURL + path);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).not.toContain('image/');
  }
});

test('unsupported methods and malformed targets are refused in the error envelope', async ({ baseURL }) => {
  throughServer();
  for (const [method, path, status, code] of [
    ['TRACE', '/', 405, 'method_not_allowed'],
    ['PURGE', '/v1/account', 405, 'method_not_allowed'],
    ['SEARCH', '/api/account', 405, 'method_not_allowed'],
    ['POST', '/create', 405, 'method_not_allowed'],
    ['OPTIONS', '*', 400, 'invalid_request'],
    ['GET', '/api/%', 404, 'not_found'],
    ['GET', '/v1/%ff', 404, 'not_found'],
  ] as const) {
    const answer = await raw(baseURL!, { method, path });
    expect(answer.status, `${method} ${path}`).toBe(status);
    expect(answer.headers['x-request-id']).toBeTruthy();
    expect(JSON.parse(answer.text).error.code).toBe(code);
  }
});

test('a page path that cannot be decoded answers 404 with an HTML page', async ({ baseURL }) => {
  throughServer();
  for (const path of ['/history/%', '/create/%ff', '/docs/models/%', '/studio-validators/%/x', '/admin/accounts/%']) {
    const answer = await raw(baseURL!, { path });
    expect(answer.status, path).toBe(404);
    expect(answer.headers['content-type']).toContain('text/html');
  }
});

test('a malformed next-router-state-tree header is refused with 400', async ({ baseURL }) => {
  throughServer();
  for (const odd of ['1', '%', '[]', '%5B%22%22%5D', '{}']) {
    const headers = { rsc: '1', 'next-router-state-tree': odd };
    expect((await fetch(`${baseURL}/docs`, { headers })).status, odd).toBe(400);
  }
});

test('odd query parameters neither break the sign-in page nor redirect to another site or to /api', async ({
  baseURL,
}) => {
  const { cookie } = await signedIn(baseURL!);
  const odd = [
    'error=__proto__',
    'error=constructor',
    'next=/%0d%0aa:b',
    'next=/%ff',
    'next=__proto__',
    'next=/%E2%82%AC',
    'next=//x',
    'next=/api/account/export',
  ];
  for (const query of odd) {
    expect((await fetch(`${baseURL}/sign-in?${query}`)).status, query).toBe(200);
    const sent = await fetch(`${baseURL}/sign-in?${query}`, { headers: { cookie }, redirect: 'manual' });
    expect([200, 307], query).toContain(sent.status);
    expect(sent.headers.get('location') ?? '/').toMatch(/^\/(?!\/|api\/)/);
  }
});

test('responses derived from the catalog answer 304 when the request carries their ETag', async ({ baseURL }) => {
  const revision = 'any';
  for (const path of ['/v1/openapi.json', `/studio-validators/${revision}/z_image`]) {
    const first = await fetch(baseURL + path);
    expect(first.status).toBe(200);
    const etag = String(first.headers.get('etag'));
    const again = await fetch(baseURL + path, { headers: { 'if-none-match': etag } });
    expect(again.status, path).toBe(304);
    expect(again.headers.get('vary'), path).toBe(first.headers.get('vary'));
    expect(await again.text()).toBe('');
  }
  expect((await fetch(`${baseURL}/studio-validators/any/nothing`)).status).toBe(404);
});

test('request bodies outside /v1 are limited to 64 KB', async ({ baseURL }) => {
  const page = await pageOf(baseURL!);
  const data = { email: 'ada@example.com', password: 'x'.repeat(70_000) };
  await refusal(await page.post('/api/session', { data }), 413, 'request_too_large');
});

test('every response has X-Request-Id and X-Content-Type-Options: nosniff', async ({ baseURL, customer }) => {
  const paths = [
    '/v1/account',
    '/v1/openapi.json',
    '/v1/nothing',
    '/api/session',
    '/api/nothing',
    '/healthz',
    '/healthz/web',
    '/media/x',
  ];
  // under plain `next start`, pages get only the constant headers
  if (test.info().project.name !== 'api-next') paths.push('/', '/docs', '/nothing');
  const headers = { authorization: `Bearer ${customer.key}` };
  for (const path of paths) {
    const answer = await fetch(baseURL + path, { headers });
    expect(answer.headers.get('x-request-id'), path).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers.get('x-content-type-options'), path).toBe('nosniff');
  }
});

test('429: too many wrong keys or anonymous pages from an address; valid keys and sessions are still served', async ({
  idle,
}) => {
  const web = await idle.startWeb({ LIMIT_BAD_KEYS_PER_ADDRESS: '5', LIMIT_PAGES_PER_ADDRESS: '2' });
  const customer = await idle.open();
  const status = async (key: string) => {
    const answer = await fetch(`${web.baseURL}/v1/account`, { headers: { authorization: `Bearer ${key}` } });
    expect(answer.headers.has('retry-after'), key).toBe(answer.status === 429);
    if (answer.status === 429) expect((await answer.json()).error.code).toBe('rate_limited');
    return answer.status;
  };
  const typo = customer.key.slice(0, -1) + (customer.key.endsWith('a') ? 'b' : 'a');
  const unknown = `pomona_sk_${'A'.repeat(49)}`;
  for (const key of [typo, unknown, 'junk', 'junk', 'junk']) expect(await status(key)).toBe(401);
  for (const key of [typo, unknown, 'junk']) expect(await status(key)).toBe(429);
  expect(await status(customer.key)).toBe(200);
  // a request without a key is still told that one is missing
  for (const path of ['/v1/account', '/openai/v1/models'])
    expect((await fetch(web.baseURL + path)).status, path).toBe(401);
  const description = (headers = {}) => fetch(`${web.baseURL}/v1/openapi.json`, { headers });
  const describe = async (headers = {}) => (await description(headers)).status;
  expect([await describe(), await describe()]).toEqual([200, 200]);
  await tooMany(await description());
  const { cookie } = await openMember(idle);
  expect(await describe({ cookie })).toBe(200);
  const metrics = await (await fetch(`${web.baseURL}/metrics`)).text();
  expect(metrics).toContain('pomona_limit_reached_total{limit="LIMIT_BAD_KEYS_PER_ADDRESS"} 3');
});

test('429 too_many_requests: too many body bytes in flight from an address, or upload tickets for an account', async ({
  idle,
}) => {
  throughServer();
  const web = await idle.startWeb({ LIMIT_BODY_BYTES_PER_ADDRESS: '50000', LIMIT_TICKETS: '1' });
  const { key } = await idle.open();
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const send = (path: string, body: object) =>
    fetch(web.baseURL + path, { method: 'POST', headers, body: JSON.stringify(body) });
  // refused by its declared length; a client that sends the whole body may be disconnected before it reads the answer
  const declared = { ...headers, 'content-length': 4_000_000 };
  const large = await raw(web.baseURL, { method: 'POST', path: '/v1/z_image/estimate', headers: declared });
  expect(large.status).toBe(429);
  expect(large.headers['retry-after']).toBe('30');
  expect(JSON.parse(large.text).error.code).toBe('too_many_requests');
  expect((await send('/v1/z_image/estimate', { prompt: 'a pear' })).status).toBe(200);
  const ticket = () => send('/v1/uploads', { content_type: 'image/png' });
  expect((await ticket()).status).toBe(200);
  await tooMany(await ticket());
  const agent = await Agent.connect(web.baseURL, { key });
  const { isError, content } = await agent.call('create_upload', { content_type: 'image/png' });
  expect(isError).toBe(true);
  expect(JSON.stringify(content)).toContain('Too many attempts.');
});

/** Expects the refusal of too many requests. */
async function tooMany(answer: Response) {
  expect(answer.status).toBe(429);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await answer.json()).error.code).toBe('too_many_requests');
}

test('a session is accepted only on the public origin, not on another host name of the server', async ({ baseURL }) => {
  const { cookie } = await signedIn(baseURL!);
  const host = `rebound.example:${new URL(baseURL!).port}`;
  const send = (headers: Record<string, string>) =>
    raw(baseURL!, {
      method: 'PATCH',
      path: '/api/account',
      headers: { cookie, ...headers },
      body: Buffer.from('{"name":null}'),
    });
  const json = { 'content-type': 'application/json' };
  expect((await send({ ...json, host, origin: `http://${host}` })).status).toBe(401);
  expect((await send({ ...json, host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' })).status).toBe(401);
  expect((await send({ ...json, origin: baseURL! })).status).toBe(200);
});

async function signedIn(baseURL: string): Promise<{ cookie: string }> {
  const page = await pageOf(baseURL);
  const data = { email: `${randomUUID()}@example.com`, password: 'a quiet orchard' };
  const joined = await page.post('/api/sign-up', { data });
  return { cookie: String(joined.headers()['set-cookie']?.split(';')[0]) };
}

/** Returns the answer to a request during a concurrent deletion, which commits once the request waits for its lock. */
async function whileDeleted({ pool }: House, table: string, id: string, ask: () => Promise<APIResponse>) {
  const other = await pool.connect();
  try {
    await other.query('begin');
    await other.query(`delete from ${table} where id = $1`, [id]);
    const asked = ask();
    const waiting = 'select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))';
    await expect.poll(async () => (await other.query(waiting)).rowCount).toBeGreaterThan(0);
    await other.query('commit');
    return await asked;
  } finally {
    other.release();
  }
}

test('a request on an object that is deleted concurrently gets 404 or 401, not a server error', async ({ house }) => {
  const { page, customer } = await openMember(house);
  const { id } = await (await page.post('/api/collections', { data: { name: 'Pears' } })).json();
  const data = { request_ids: [(await customer.submit()).request_id] };
  const put = () => page.put(`/api/collections/${id}/items`, { data });
  await refusal(await whileDeleted(house, 'collections', id, put), 404, 'not_found');
  const stranger = await house.open();
  const open = () => stranger.api.post('/v1/uploads', { data: { content_type: 'image/png' } });
  await refusal(await whileDeleted(house, 'accounts', stranger.accountId, open), 401, 'unauthorized');
});
