import { expect, test } from 'vitest';
import { operations } from '../../lib/contract/operations.ts';
import { ApiError, InvalidError } from './errors.ts';
import { createCalls } from './operations.ts';
import { routes } from './routes.ts';

/** A fake fetch that always gives the same response and records its calls. */
function server(answer: () => Response | Promise<Response>) {
  const asked: { url: string; init: RequestInit }[] = [];
  const fetch = (url: unknown, init: RequestInit = {}) => {
    asked.push({ url: String(url), init });
    return Promise.resolve().then(answer);
  };
  return {
    asked,
    client: createCalls({ baseUrl: 'https://pomona.example', key: 'k', retries: 0, fetch }),
  };
}

test('every operation has the method and path of the contract', () => {
  for (const [id, { method, path }] of Object.entries(operations)) {
    expect(routes[id as keyof typeof routes]).toBe(`${method} ${path}`);
  }
});

test('path, query, headers and body are sent where they belong', async () => {
  const { asked, client } = server(() => Response.json({ data: [], next_cursor: null }));
  await client.generate({
    params: { architecture: 'a/b' },
    body: { prompt: 'é' },
    headers: { 'idempotency-key': '1' },
  });
  await client.listRequests({ query: { status: 'queued,in_progress', q: '' } });
  const [submit, list] = asked;
  expect(submit?.url).toBe('https://pomona.example/v1/a%2Fb/generate');
  expect(submit?.init).toMatchObject({ method: 'POST', body: '{"prompt":"é"}' });
  expect(Object.fromEntries(new Headers(submit?.init.headers))).toEqual({
    authorization: 'Bearer k',
    'content-type': 'application/json',
    'idempotency-key': '1',
  });
  expect(list?.url).toBe('https://pomona.example/v1/requests?status=queued%2Cin_progress');
});

test('a response without a body gives undefined', async () => {
  const { client } = server(() => new Response(null, { status: 204 }));
  expect(await client.deleteUpload({ params: { upload_id: 'x' } })).toBeUndefined();
});

test('a refused call throws an ApiError with all fields of the error response', async () => {
  const issues = [{ path: '/prompt', message: 'prompt is required' }];
  const error = { code: 'invalid_config', message: 'No.', issues };
  const { client } = server(() => Response.json({ error }, { status: 400, headers: { 'retry-after': '3' } }));
  const refused = await client.getAccount().catch((thrown: unknown) => thrown);
  expect(refused).toBeInstanceOf(ApiError);
  expect(refused).toBeInstanceOf(InvalidError);
  expect(refused).toMatchObject({
    status: 400,
    code: 'invalid_config',
    message: 'No.',
    issues,
    retryAfter: 3,
    isPassing: false,
  });
});

test('an error without an error envelope, from a proxy or the network, counts as temporary', async () => {
  const proxy = server(() => new Response('<h1>Bad gateway</h1>', { status: 502 }));
  await expect(proxy.client.getAccount()).rejects.toMatchObject({ status: 502, isPassing: true });
  const offline = server(() => Promise.reject(new TypeError('fetch failed')));
  await expect(offline.client.getAccount()).rejects.toMatchObject({ code: 'unreachable', isPassing: true });
});

test('an aborted call is not reported as unreachable', async () => {
  const { client } = server(() => Promise.reject(new DOMException('stop', 'AbortError')));
  await expect(client.getAccount({ signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
});
