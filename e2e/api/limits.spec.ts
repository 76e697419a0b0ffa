import { isLive } from '#lib/status';
import { QUICK, refusal } from '../customer.ts';
import { expect, test } from '../fixtures.ts';
import { openMember } from '../member.ts';
import { raw } from '../raw-http.ts';

// one test for each row of the table of limits for generations

const LIMIT = 4_500_000;
const JSON_TYPE = { 'content-type': 'application/json' };

/** Returns a body of exactly this many bytes. */
function bodyOf(bytes: number): Buffer {
  const frame = JSON.stringify({ prompt: 'rain', padding: '' });
  return Buffer.from(JSON.stringify({ prompt: 'rain', padding: 'x'.repeat(bytes - frame.length) }));
}

test('In-flight generations: 20 per account; the next one gives 429 and is not recorded', async ({ idle }) => {
  const customer = await idle.open();
  const accepted = [];
  for (let index = 0; index < 20; index++) accepted.push(await customer.submit());
  const headers = { 'idempotency-key': 'the twenty-first' };
  await refusal(await customer.post({ headers }), 429, 'too_many_requests');
  await refusal(await customer.post({ headers }), 429, 'too_many_requests');
  expect(await customer.balance()).toBe(10_000 - 20 * QUICK.gems);

  // another account is not affected
  await (await idle.open()).submit();

  await customer.cancel(accepted[7]!.request_id);
  await customer.submit({ headers });
  await refusal(await customer.post(), 429, 'too_many_requests');
  const { data } = await customer.list('?limit=200');
  expect(data.filter(({ status }) => isLive(status))).toHaveLength(20);
});

test('Idempotency-Key length: 1 to 255 characters', async ({ customer }) => {
  for (const key of ['k', 'k'.repeat(255)]) {
    const { request_id } = await customer.submit({ headers: { 'idempotency-key': key } });
    const again = await customer.post({ headers: { 'idempotency-key': key } });
    expect(again.status()).toBe(200);
    expect((await again.json()).request_id).toBe(request_id);
  }
  for (const key of ['', 'k'.repeat(256)]) {
    const error = await refusal(await customer.post({ headers: { 'idempotency-key': key } }), 400, 'invalid_config');
    expect(error.message).toContain('The header Idempotency-Key must be text of 1 to 255 characters');
  }
  expect(await customer.balance()).toBe(10_000 - 2 * QUICK.gems);
});

test('Max-Gems is a whole number of any size', async ({ customer }) => {
  for (const gems of ['1000000000', '9007199254740991', '9'.repeat(400)])
    await customer.submit({ headers: { 'max-gems': gems } });
  for (const gems of ['-1', '1.5', 'many', ''])
    await refusal(await customer.post({ headers: { 'max-gems': gems } }), 400, 'invalid_config');
});

test('Pomona-Webhook must be one public https address', async ({ customer }) => {
  // how a header that is sent twice arrives
  const twice = { 'pomona-webhook': 'https://a.example/, https://b.example/' };
  const error = await refusal(await customer.post({ headers: twice }), 400, 'invalid_config');
  expect(error.message).toContain('The header Pomona-Webhook must be one https address');
  for (const address of ['http://a.example/', 'https://10.0.0.1/', 'https://u:p@a.example/', 'a.example']) {
    const refused = await customer.post({ headers: { 'pomona-webhook': address } });
    expect((await refusal(refused, 400, 'invalid_config')).issues).toMatchObject([{ path: '/pomona-webhook' }]);
  }
  expect(await customer.balance()).toBe(10_000);
  const webhooks = async () => (await (await customer.api.get('/v1/webhooks')).json()).data;
  expect(await webhooks()).toEqual([]);
  await customer.submit({ headers: { 'pomona-webhook': 'https://a.example/' } });
  // the entry exists before the first message, so that its secret can be read
  expect(await webhooks()).toMatchObject([{ url: null, enabled: true }]);
});

test('Request body: exactly 4.5 MB passes, one byte more does not', async ({ customer }) => {
  const at = await customer.api.post('/v1/seed_audio/generate', { data: bodyOf(LIMIT), headers: JSON_TYPE });
  expect(at.status()).toBe(202);
  const over = await customer.api.post('/v1/seed_audio/generate', { data: bodyOf(LIMIT + 1), headers: JSON_TYPE });
  await refusal(over, 413, 'request_too_large');
});

test('Request body: the same limit applies to a chunked body without a declared length', async ({
  baseURL,
  customer,
}) => {
  const headers = { authorization: `Bearer ${customer.key}`, 'transfer-encoding': 'chunked', ...JSON_TYPE };
  const path = '/v1/seed_audio/generate';
  const inChunks = function* (body: Buffer) {
    for (let at = 0; at < body.length; at += 65_536) yield body.subarray(at, at + 65_536);
  };
  const at = await raw(baseURL!, { method: 'POST', path, headers, body: inChunks(bodyOf(LIMIT)) });
  expect(at.status, at.text).toBe(202);
  const over = await raw(baseURL!, { method: 'POST', path, headers, body: inChunks(bodyOf(LIMIT + 1)) });
  expect(over.status).toBe(413);
  expect(JSON.parse(over.text).error.code).toBe('request_too_large');
});

test('Request body: a huge body is refused while it is being read', async ({ baseURL, customer }) => {
  const headers = { authorization: `Bearer ${customer.key}`, 'transfer-encoding': 'chunked', ...JSON_TYPE };
  const chunk = Buffer.alloc(65_536, 'x');
  // 1 GB, too much to be sent within this test
  const endless = Array.from({ length: 16_384 }, () => chunk);
  // the server closes the connection, and the client may notice that before it reads the answer
  await expect(async () => {
    const answer = await raw(baseURL!, { method: 'POST', path: '/v1/seed_audio/generate', headers, body: endless });
    expect(answer.status).toBe(413);
    expect(answer.sent).toBeLessThan(64_000_000);
  }).toPass({ timeout: 20_000 });
});

test('Request body: a declared length over the limit is refused before the body is complete', async ({
  baseURL,
  customer,
}) => {
  const headers = { authorization: `Bearer ${customer.key}`, 'content-length': '1000000000', ...JSON_TYPE };
  const body = [Buffer.alloc(65_536, 'x')];
  const sending = raw(baseURL!, { method: 'POST', path: '/v1/seed_audio/generate', headers, body });
  const answer = await sending;
  expect(answer.status).toBe(413);
});

test('Page size: 1 to 200, default 50', async ({ idle }) => {
  const customer = await idle.open();
  await idle.pool.query('update accounts set in_flight_limit = 60 where id = $1', [customer.accountId]);
  await Promise.all(Array.from({ length: 52 }, () => customer.submit()));
  const page = await customer.list();
  expect(page.data).toHaveLength(50);
  expect(page.next_cursor).toEqual(expect.any(String));
  expect((await customer.list('?limit=1')).data).toHaveLength(1);
  const all = await customer.list('?limit=200');
  expect(all.data).toHaveLength(52);
  expect(all.next_cursor).toBeNull();
});

test('Page size of characters and references: 1 to 200, default 50', async ({ idle }) => {
  const customer = await idle.open();
  // inserted by SQL, since decoding 201 portraits would take long
  await idle.pool.query(
    `with made as materialized (
      select gen_random_uuid() as id, gen_random_uuid() as file, kind, 'h' || left(md5($1 || kind || n), 14) as handle
      from generate_series(1, 201) n, unnest(array['character', 'place']) kind
    ), files as (
      insert into media (id, account_id, kind, key, content_type, bytes, width, height)
      select file, $1::uuid, 'entity', 'entity/' || md5(file::text) || '.png', 'image/png', 1, 1, 1 from made
    ), named as (
      insert into handles (handle, account_id, entity_id) select handle, $1::uuid, id from made
    ), characters as (
      insert into characters (id, account_id, handle, name, image_id)
      select id, $1::uuid, handle, 'Ana', file from made where kind = 'character'
    )
    insert into cast_references (id, account_id, handle, name, kind, media_id)
    select id, $1::uuid, handle, 'Harbour', 'location', file from made where kind = 'place'`,
    [customer.accountId],
  );
  for (const path of ['/v1/characters', '/v1/references'])
    for (const [query, length] of [
      ['', 50],
      ['?limit=1', 1],
      ['?limit=200', 200],
    ] as const) {
      const page = await (await customer.api.get(path + query)).json();
      expect(page.data, path + query).toHaveLength(length);
      expect(page.next_cursor).toEqual(expect.any(String));
    }
});

test('Stored result lifetime: 30 days from the request', async ({ customer }) => {
  const { created_at, result } = await customer.generate();
  expect(Date.parse(result.expires_at) - Date.parse(created_at)).toBe(30 * 86_400_000);
});

test('many requests that wait for one account hold one database connection, and other accounts are served', async ({
  idle,
}) => {
  const member = await openMember(idle);
  const { api, accountId } = member.customer;
  const other = await idle.open();
  const { request_id } = await member.customer.submit();
  const upload = await (await api.post('/v1/uploads', { data: { content_type: 'image/png' } })).json();
  const acts = [
    () => api.post('/v1/uploads', { data: { content_type: 'image/png' } }),
    () => member.page.post('/api/account/keys', { data: { name: 'server' } }),
    () => api.put(`/v1/requests/${request_id}/tags/rain`),
    () => api.delete(`/v1/uploads/${upload.id}`),
  ];
  const holder = await idle.pool.connect();
  await holder.query('begin');
  await holder.query('select from accounts where id = $1 for update', [accountId]);
  const waitingConnections = async () =>
    (await holder.query('select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))'))
      .rowCount;
  // more calls of each kind than DATABASE_POOL
  const waiting = acts.flatMap(act => Array.from({ length: 25 }, act));
  try {
    await expect.poll(waitingConnections).toBe(1);
    // only for a while: a query that waits too long is cancelled
    const end = Date.now() + 5_000;
    for (let turn = 0; turn < 30 && Date.now() < end; turn++) expect(await other.balance()).toBe(10_000);
    expect(await waitingConnections()).toBe(1);
  } finally {
    await holder.query('rollback');
    holder.release();
  }
  // only one of the deletions finds the upload; the others answer 404
  for (const answer of await Promise.all(waiting)) expect(answer.status(), await answer.text()).toBeLessThan(405);
});
