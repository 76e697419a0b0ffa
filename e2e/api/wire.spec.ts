import { operations } from '#lib/contract/operations';
import type { Operation } from '#lib/contract/operation';
import { refusal } from '../customer.ts';
import { expect, test } from '../fixtures.ts';
import { raw } from '../raw-http.ts';

// the error envelope for unusual paths, methods and headers

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const SEGMENTS: Record<string, string> = {
  architecture: 'mango',
  request_id: '0190b5a0-0000-7000-8000-000000000000',
};
const pathOf = (operation: Operation) => operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => SEGMENTS[name] ?? name);

const offered = new Map<string, Set<string>>([['/v1/openapi.json', new Set(['GET', 'HEAD'])]]);
for (const operation of Object.values<Operation>(operations)) {
  const methods = offered.get(pathOf(operation)) ?? new Set();
  methods.add(operation.method);
  if (operation.method === 'GET') methods.add('HEAD');
  offered.set(pathOf(operation), methods);
}

for (const [path, methods] of offered) {
  test(`405 method_not_allowed: ${path} lists its methods in Allow`, async ({ customer }) => {
    for (const method of METHODS.filter(method => !methods.has(method))) {
      const response = await customer.api.fetch(path, { method });
      expect(response.headers().allow?.split(', ').toSorted()).toEqual([...methods].toSorted());
      if (method === 'HEAD') expect(response.status()).toBe(405);
      else await refusal(response, 405, 'method_not_allowed');
    }
  });
}

test('405 method_not_allowed: methods that no operation supports', async ({ baseURL }, { project }) => {
  test.skip(project.name === 'api-next', 'Next refuses them itself');
  for (const method of ['PROPFIND', 'TRACE', 'LINK', 'QUERY']) {
    const { status, headers, text } = await raw(baseURL!, { method, path: '/v1/account' });
    expect(status).toBe(405);
    expect(headers.allow).toBe('GET, HEAD');
    expect(JSON.parse(text).error.code).toBe('method_not_allowed');
    expect((await raw(baseURL!, { method, path: '/v1/nothing' })).status).toBe(404);
  }
});

test('404 not_found: paths that /v1 does not have', async ({ customer }) => {
  const paths = ['/v1', '/v1/nothing', '/v1/account%00', '/v1/account;x=1', '/v1/Account', '/v1/a%2Fb/c/d', '/v1/.env'];
  for (const path of paths) {
    for (const method of METHODS.filter(method => method !== 'HEAD')) {
      await refusal(await customer.api.fetch(path, { method }), 404, 'not_found');
    }
  }
});

test('404 not_found: malformed percent-encoding and repeated slashes, even without a key', async ({ baseURL }, {
  project,
}) => {
  test.skip(project.name === 'api-next', 'Next answers them itself');
  for (const path of [
    '/v1/%',
    '/v1/%zz/generate',
    '/v1/requests/%ff/status',
    '/v1//account',
    `/v1/${'a/'.repeat(900)}`,
  ]) {
    for (const method of ['GET', 'POST']) {
      const { status, headers, text } = await raw(baseURL!, { method, path });
      expect(status, path).toBe(404);
      expect(JSON.parse(text).error.code).toBe('not_found');
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    }
  }
});

test('encoded slashes and dots in a path stay within their segment', async ({ customer }) => {
  for (const id of ['a%2Fb', '..%2f..%2faccount', '%2e%2e%2faccount'])
    await refusal(await customer.api.get(`/v1/requests/${id}/status`), 404, 'request_not_found');
  await refusal(await customer.post({ architecture: 'mango%2f..%2fkiwi' }), 404, 'architecture_not_found');
});

test('a DELETE path that ends in a dot segment or a slash is refused and deletes nothing', async ({
  baseURL,
  customer,
}, { project }) => {
  test.skip(project.name === 'api-next', 'Next answers them itself');
  const { request_id } = await customer.generate();
  const headers = { authorization: `Bearer ${customer.key}` };
  for (const lost of ['tags/..', 'tags/%2e%2E', '']) {
    const { status, text } = await raw(baseURL!, {
      method: 'DELETE',
      path: `/v1/requests/${request_id}/${lost}`,
      headers,
    });
    expect(status, lost).toBe(400);
    expect(JSON.parse(text).error.code).toBe('invalid_request');
  }
  expect(await customer.status(request_id)).not.toHaveProperty('removed_at');
});

test('headers over 16 kB are refused in the error envelope, with a request id', async ({ baseURL }, { project }) => {
  test.skip(project.name === 'api-next', 'the server is Next’s own there');
  const long = await raw(baseURL!, { path: '/v1/account', headers: { cookie: 'x'.repeat(20_000) } });
  expect(long.status).toBe(431);
  const message = 'The request headers are over 16 kB.';
  expect(JSON.parse(long.text).error).toEqual({ code: 'invalid_request', message, issues: [{ path: '', message }] });
  expect(long.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
});

test('every response has its own X-Request-Id, whatever the client sends', async ({ customer }) => {
  const seen = new Set<string>();
  const headers = { 'x-request-id': 'mine' };
  for (const path of [
    '/v1/account',
    '/v1/account',
    '/v1/requests',
    '/v1/architectures',
    '/v1/nothing',
    '/v1/openapi.json',
  ])
    seen.add((await customer.api.get(path, { headers })).headers()['x-request-id'] ?? 'none');
  expect(seen.size).toBe(6);
  for (const id of seen) expect(id).toMatch(/^[0-9a-f-]{36}$/);
});

test('responses have no CORS headers, even for a preflight', async ({ customer }) => {
  const headers = { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' };
  for (const method of ['GET', 'OPTIONS', 'POST']) {
    const response = await customer.api.fetch('/v1/account', { method, headers });
    const named = Object.keys(response.headers()).filter(name => name.startsWith('access-control-'));
    expect(named).toEqual([]);
  }
});

test('responses with account data have Cache-Control: no-store', async ({ customer }) => {
  const { request_id } = await customer.submit();
  for (const path of [
    '/v1/account',
    '/v1/account/ledger',
    '/v1/requests',
    `/v1/requests/${request_id}`,
    `/v1/requests/${request_id}/status`,
    '/openai/v1/videos',
  ])
    expect((await customer.api.get(path)).headers()['cache-control'], path).toBe('no-store');
  expect((await customer.cancel(request_id)).headers()['cache-control'] ?? '').toBe('no-store');
});

test('JSON responses are in UTF-8 and declare it', async ({ customer }) => {
  const prompt = 'ночь, 夜, 🌙 e\u0301';
  const { request_id } = await customer.submit({ body: { prompt } });
  const response = await customer.api.get(`/v1/requests/${request_id}`);
  expect(response.headers()['content-type']).toBe('application/json; charset=utf-8');
  expect((await response.json()).prompt).toBe(prompt);
});

test('HEAD answers as GET does, without a body', async ({ customer }) => {
  const head = await customer.api.head('/v1/account');
  expect(head.status()).toBe(200);
  expect(head.headers()['content-type']).toBe('application/json; charset=utf-8');
  expect(await head.text()).toBe('');
  expect((await customer.api.head('/v1/requests/nonsense')).status()).toBe(404);
});

test('400 invalid_request: a query parameter that is given more than once', async ({ customer }) => {
  const answer = await customer.api.get(
    '/v1/requests?status=failed&status=completed&limit=5&limit=6&unknown=1&unknown=2',
  );
  expect((await refusal(answer, 400, 'invalid_request')).issues).toEqual([
    { path: '/limit', message: 'The query parameter limit must be given once; it is given 2 times.' },
    { path: '/status', message: 'The query parameter status must be given once; it is given 2 times.' },
  ]);
  expect((await customer.api.get('/v1/requests?unknown=1&unknown=2')).status()).toBe(200);
});

test('400 invalid_request: problems of the query and the headers are reported together', async ({ customer }) => {
  const headers = { 'pomona-account': 'nobody' };
  const answer = await customer.api.get('/v1/requests?limit=0&status=done&q=a&q=b&tag=..', { headers });
  const { issues } = await refusal(answer, 400, 'invalid_request');
  expect(issues?.map(({ path }) => path).toSorted()).toEqual(['/limit', '/pomona-account', '/q', '/status', '/tag']);
});

test('an unknown member is ignored with a warning that names the most similar field', async ({ customer }) => {
  const body = { prompt: 'rain', durration: '5', nonsense: { a: 1 } };
  const accepted = await customer.submit({ body });
  expect(accepted.warnings?.map(warning => warning.path)).toEqual(['/durration', '/nonsense']);
  expect(accepted.warnings?.[0]?.message).toContain('duration');
});

test('an accepted request has exactly the expected members', async ({ customer, baseURL }) => {
  const accepted = await customer.submit();
  const url = `${baseURL}/v1/requests/${accepted.request_id}`;
  expect(accepted).toEqual({
    request_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    status: expect.stringMatching(/^(queued|in_progress)$/),
    architecture: 'seed_audio',
    model_id: expect.any(String),
    type: 'audio',
    prompt: 'soft rain on a tin roof',
    seed: expect.any(Number),
    preview: true,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updated_at: accepted.created_at,
    billing: { mode: 'gems', gems_charged: 19 },
    result: null,
    error: null,
    expected: { width: 0, height: 0, duration: 5 },
    favourite: false,
    status_url: `${url}/status`,
    cancel_url: `${url}/cancel`,
  });
});
