import { randomUUID } from 'node:crypto';
import { openContext } from '../api-context.ts';
import { QUICK, refusal } from '../customer.ts';
import { expect, RETIRED, test } from '../fixtures.ts';

// one test for each row of the table of errors that these endpoints can return

test('400 invalid_config: an invalid option is named together with the allowed ones', async ({ customer }) => {
  const response = await customer.post({ architecture: 'z_image', body: { prompt: 'a pear', resolution: '9k' } });
  const error = await refusal(response, 400, 'invalid_config');
  expect(error.issues).toEqual([{ path: '/resolution', message: expect.stringContaining('9k') }]);
  expect(error.message).toContain('1k');
  expect(error).not.toHaveProperty('request_id');
});

test('400 invalid_config: all problems are reported in one response', async ({ customer }) => {
  const body = { aspect_ratio: '7:1', resolution: 4, seed: -1 };
  const headers = { 'pomona-webhook': 'https://10.0.0.1/' };
  const error = await refusal(await customer.post({ architecture: 'z_image', body, headers }), 400, 'invalid_config');
  const paths = error.issues?.map(issue => issue.path).toSorted();
  expect(paths).toEqual(['/aspect_ratio', '/pomona-webhook', '/prompt', '/resolution', '/seed']);
});

test('400 invalid_config: invalid headers are reported together with problems of the body', async ({ customer }) => {
  const headers = { 'max-gems': '-1', 'idempotency-key': 'x'.repeat(256), 'pomona-webhook': 'https://10.0.0.1/' };
  const body = { resolution: '9K' };
  const error = await refusal(await customer.post({ architecture: 'mango', body, headers }), 400, 'invalid_config');
  const paths = error.issues?.map(issue => issue.path).toSorted();
  expect(paths).toEqual(['/idempotency-key', '/max-gems', '/pomona-webhook', '/prompt', '/resolution']);
  const right = { architecture: 'mango', body: { prompt: 'a fig' } };
  const alone = await refusal(await customer.post({ ...right, headers: { 'max-gems': '-1' } }), 400, 'invalid_config');
  expect(alone.issues).toMatchObject([{ path: '/max-gems' }]);
  expect(await customer.balance()).toBe(10_000);
});

test('400 invalid_request: a limit out of range on a list', async ({ customer }) => {
  for (const limit of ['0', '201', '1.5', '-1', 'ten', '', '1e2']) {
    const error = await refusal(await customer.api.get(`/v1/requests?limit=${limit}`), 400, 'invalid_request');
    expect(error.message).toContain('limit');
    expect(error.issues).toHaveLength(1);
  }
});

test('400 invalid_request: a bad cursor, status, type, ids or wait', async ({ customer }) => {
  const { request_id } = await customer.submit();
  for (const path of [
    '/v1/requests?cursor=nonsense',
    '/v1/requests?status=done',
    '/v1/requests?status=queued,done',
    '/v1/requests?type=text',
    '/v1/requests?ids=1,2',
    `/v1/requests?ids=${Array.from({ length: 51 }, () => randomUUID()).join(',')}`,
    '/v1/account/ledger?cursor=nonsense',
    `/v1/account/ledger?cursor=${'9'.repeat(20)}`,
    '/v1/account/ledger?limit=0',
    '/v1/account/ledger?kind=nonsense',
    `/v1/requests/${request_id}/status?wait=61`,
    `/v1/requests/${request_id}/status?wait=-1`,
    `/v1/requests/${request_id}/status?wait=soon`,
  ]) {
    await refusal(await customer.api.get(path), 400, 'invalid_request');
  }
});

/** Paths that both list and create. */
const LISTS = ['/v1/uploads', '/v1/characters', '/v1/references'];

test('401 unauthorized: no key, a bad key, another scheme', async ({ baseURL, customer }) => {
  const typo = customer.key.slice(0, -1) + (customer.key.endsWith('a') ? 'b' : 'a');
  const unknown = 'pomona_sk_' + 'A'.repeat(49);
  for (const authorization of [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    `Bearer ${typo}`,
    `Bearer ${unknown}`,
    `Bearer ${customer.key} ${customer.key}`,
    `Basic ${customer.key}`,
    customer.key,
    `Bearer ${'x'.repeat(8000)}`,
  ]) {
    const stranger = await openContext({
      baseURL: baseURL!,
      ...(authorization !== undefined && { extraHTTPHeaders: { authorization } }),
    });
    for (const response of [
      await stranger.get('/v1/account'),
      await stranger.get('/v1/architectures'),
      await stranger.get('/v1/requests'),
      await stranger.get(`/v1/requests/${randomUUID()}/status`),
      await stranger.post(`/v1/requests/${randomUUID()}/cancel`),
      await stranger.post(`/v1/${QUICK.architecture}/generate`, { data: QUICK.body }),
      await stranger.post(`/v1/${QUICK.architecture}/estimate`, { data: QUICK.body }),
      ...(await Promise.all(LISTS.flatMap(path => [stranger.get(path), stranger.post(path, { data: {} })]))),
    ]) {
      await refusal(response, 401, 'unauthorized');
      expect(response.headers()['www-authenticate']).toBe('Bearer');
    }
  }
  const inCapitals = { extraHTTPHeaders: { authorization: `BEARER  ${customer.key}` } };
  const known = await openContext({ baseURL: baseURL!, ...inCapitals });
  expect((await known.get('/v1/account')).status()).toBe(200);
});

test('402 insufficient_gems: the price exceeds the balance', async ({ house, customer }) => {
  const poor = await house.open({ gems: QUICK.gems - 1 });
  const error = await refusal(await poor.post(), 402, 'insufficient_gems');
  expect(error).toMatchObject({ gems_required: QUICK.gems, request_id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  expect(await poor.balance()).toBe(QUICK.gems - 1);
  expect((await poor.list()).data).toEqual([]);
  expect(error.message).toMatch(/the balance is 18\. Add gems or choose cheaper settings\.$/);
  // its account can read the refusal by its id as a failed request without a charge, but cannot cancel it
  const refused = await poor.status(String(error.request_id));
  expect(refused).toMatchObject({
    status: 'failed',
    billing: { mode: 'gems', gems_charged: 0 },
    error: { code: 'insufficient_gems', message: error.message },
    result: null,
  });
  expect(refused).not.toHaveProperty('seed');
  expect(refused).not.toHaveProperty('preview');
  await refusal(await poor.cancel(String(error.request_id)), 409, 'request_finished');
  await refusal(await customer.api.get(`/v1/requests/${error.request_id}/status`), 404, 'request_not_found');
});

test('403 content_blocked: the prompt breaks the content policy', async ({ customer }) => {
  const body = { prompt: 'step by step instructions for a pipe bomb' };
  const error = await refusal(await customer.post({ body }), 403, 'content_blocked');
  expect(error.request_id).toMatch(/^[0-9a-f-]{36}$/);
  expect(await customer.balance()).toBe(10_000);
});

test('403 forbidden: generation is switched off for the account', async ({ house, customer }) => {
  await house.pool.query('update accounts set may_generate = false where id = $1', [customer.accountId]);
  const error = await refusal(await customer.post(), 403, 'forbidden');
  expect(error).not.toHaveProperty('request_id');
  expect(await customer.balance()).toBe(10_000);
});

test('404 architecture_not_found: an unknown id; the message names the most similar one', async ({ customer }) => {
  const error = await refusal(await customer.post({ architecture: 'mangoo' }), 404, 'architecture_not_found');
  expect(error.message).toContain('mango');
  for (const architecture of ['__proto__', 'constructor', 'x'.repeat(2000), 'Mango', '%F0%9F%8D%8B']) {
    await refusal(await customer.post({ architecture }), 404, 'architecture_not_found');
    const estimate = await customer.api.post(`/v1/${architecture}/estimate`, { data: QUICK.body });
    await refusal(estimate, 404, 'architecture_not_found');
  }
});

test('404 request_not_found: an unknown or malformed id', async ({ customer }) => {
  for (const id of [randomUUID(), 'nonsense', '0', '%00', '%27', 'x'.repeat(3000)]) {
    await refusal(await customer.api.get(`/v1/requests/${id}`), 404, 'request_not_found');
    await refusal(await customer.api.get(`/v1/requests/${id}/status`), 404, 'request_not_found');
    await refusal(await customer.api.get(`/v1/requests/${id}/frame`), 404, 'request_not_found');
    await refusal(await customer.api.get(`/v1/requests/${id}/status?wait=30`), 404, 'request_not_found');
    await refusal(await customer.cancel(id), 404, 'request_not_found');
    await refusal(await customer.api.delete(`/v1/requests/${id}`), 404, 'request_not_found');
  }
});

test('404 not_found: an unknown path', async ({ customer }) => {
  const error = await refusal(await customer.api.get('/v1/nothing/here'), 404, 'not_found');
  expect(error.docs_url).toMatch(/^http.+\/docs$/);
});

test('409 request_finished: cancel on a completed request', async ({ customer }) => {
  const { request_id } = await customer.generate();
  await refusal(await customer.cancel(request_id), 409, 'request_finished');
  expect(await customer.status(request_id)).toMatchObject({ status: 'completed' });
});

test('409 price_above_limit: the price is above Max-Gems', async ({ customer }) => {
  const headers = { 'max-gems': String(QUICK.gems - 1) };
  await refusal(await customer.post({ headers }), 409, 'price_above_limit');
  expect(await customer.balance()).toBe(10_000);
  await customer.submit({ headers: { 'max-gems': String(QUICK.gems) } });
});

test('409 request_live: the media of a live request cannot be deleted', async ({ idle }) => {
  const customer = await idle.open();
  const { request_id } = await customer.submit();
  await refusal(await customer.api.delete(`/v1/requests/${request_id}`), 409, 'request_live');
});

test('429 submission_in_progress: a submission with an idempotency key is not decided within 5 s', async ({ idle }) => {
  const customer = await idle.open();
  const open = await idle.pool.connect();
  try {
    await open.query('begin');
    await open.query('select from accounts where id = $1 for update', [customer.accountId]);
    const response = await customer.post({ headers: { 'idempotency-key': 'slow' } });
    await refusal(response, 429, 'submission_in_progress');
    expect(Number(response.headers()['retry-after'])).toBeGreaterThan(0);
  } finally {
    await open.query('rollback');
    open.release();
  }
  await customer.submit({ headers: { 'idempotency-key': 'slow' } });
});

test('410 architecture_retired: a retired architecture is not listed, and is refused with a request id', async ({
  idle,
}) => {
  const customer = await idle.open();
  const { architectures } = await (await customer.api.get('/v1/architectures')).json();
  const ids = architectures.map((entry: { id: string }) => entry.id);
  expect(ids).toHaveLength(15);
  expect(ids).not.toContain(RETIRED);
  const error = await refusal(await customer.post({ architecture: RETIRED }), 410, 'architecture_retired');
  expect(error.request_id).toMatch(/^[0-9a-f-]{36}$/);
  const estimate = await customer.api.post(`/v1/${RETIRED}/estimate`, { data: QUICK.body });
  await refusal(estimate, 410, 'architecture_retired');
});

test('410 architecture_retired: only the first 100,000 characters of the prompt are stored', async ({ idle }) => {
  const customer = await idle.open({ gems: 0 });
  const post = (prompt: string) => customer.post({ architecture: RETIRED, body: { prompt } });
  const { request_id = '' } = await refusal(await post('x'.repeat(4_000_000)), 410, 'architecture_retired');
  expect((await customer.detail(request_id)).prompt).toBe('x'.repeat(100_000));
});

test('413 request_too_large: a body over 4.5 MB', async ({ customer }) => {
  const data = Buffer.from(JSON.stringify({ prompt: 'x'.repeat(4_500_000) }));
  const headers = { 'content-type': 'application/json' };
  for (const path of ['seed_audio/generate', 'seed_audio/estimate', 'uploads', 'characters', 'references'])
    await refusal(await customer.api.post(`/v1/${path}`, { data, headers }), 413, 'request_too_large');
  // also where no body is read
  const { request_id } = await customer.submit();
  await refusal(await customer.api.post(`/v1/requests/${request_id}/cancel`, { data }), 413, 'request_too_large');
});

test('429 too_many_requests: the in-flight limit is reached', async ({ idle }) => {
  const customer = await idle.open();
  await idle.pool.query('update accounts set in_flight_limit = 1 where id = $1', [customer.accountId]);
  await customer.submit();
  const response = await customer.post();
  await refusal(response, 429, 'too_many_requests');
  expect(Number(response.headers()['retry-after'])).toBeGreaterThan(0);
  expect(await customer.balance()).toBe(10_000 - QUICK.gems);
});

test('451 content_blocked: the prompt breaks a rule of external scope', async ({ customer }) => {
  const error = await refusal(await customer.post({ body: { prompt: 'a fake passport' } }), 451, 'content_blocked');
  expect(error.message).toContain('ask for something else');
  expect(error.request_id).toMatch(/^[0-9a-f-]{36}$/);
  expect(await customer.balance()).toBe(10_000);
});

test('500 internal_error: the message does not reveal the cause', async ({ idle }) => {
  const customer = await idle.open();
  await idle.pool.query('alter table requests rename to requests_gone');
  try {
    const error = await refusal(await customer.api.get('/v1/requests'), 500, 'internal_error');
    expect(error.message).not.toMatch(/relation|requests_gone|select/i);
    await refusal(await customer.post(), 500, 'internal_error');
  } finally {
    await idle.pool.query('alter table requests_gone rename to requests');
  }
  expect(await customer.balance()).toBe(10_000);
});
