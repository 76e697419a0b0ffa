import type { RequestWire } from '#lib/contract/schemas';
import { refusal, type Customer } from '../customer.ts';
import { expect, test } from '../fixtures.ts';

// status of a request, lists of requests, deletion of media

test('status?wait answers as soon as the request is final', async ({ idle }) => {
  const customer = await idle.open();
  const { request_id } = await customer.submit();
  const waiting = customer.status(request_id, '?wait=60');
  await customer.cancel(request_id);
  // long before the minute is over, within the timeout of this test
  expect(await waiting).toMatchObject({ status: 'cancelled' });
});

test('status?wait wakes every waiting client, each with its own request', async ({ idle }) => {
  const customers = [await idle.open(), await idle.open()];
  const accepted = await Promise.all([0, 1, 0, 1].map(index => customers[index]!.submit()));
  const waiting = accepted.map(({ request_id }, index) => customers[index % 2]!.status(request_id, '?wait=60'));
  idle.startWorker();
  const finals = await Promise.all(waiting);
  expect(finals.map(final => final.request_id)).toEqual(accepted.map(request => request.request_id));
  for (const final of finals) expect(final.status).toBe('completed');
});

test('status?wait answers with the current state when the time is up', async ({ idle }) => {
  const customer = await idle.open();
  const { request_id } = await customer.submit();
  expect(await customer.status(request_id, '?wait=1')).toMatchObject({ status: 'queued', queue_position: 1 });
  expect(await customer.status(request_id, '?wait=0')).toMatchObject({ status: 'queued' });
});

test('the status of a live request has Retry-After, that of a final one does not', async ({ idle }) => {
  const customer = await idle.open();
  const { request_id } = await customer.submit();
  const path = `/v1/requests/${request_id}/status`;
  expect(Number((await customer.api.get(path)).headers()['retry-after'])).toBeGreaterThan(0);
  await customer.cancel(request_id);
  expect((await customer.api.get(path)).headers()).not.toHaveProperty('retry-after');
});

test('ETag: an unchanged state gives 304, a changed one gives 200', async ({ idle }) => {
  const customer = await idle.open();
  const { request_id } = await customer.submit();
  const path = `/v1/requests/${request_id}/status`;
  const etag = (await customer.api.get(path)).headers().etag!;
  expect(etag).toMatch(/^"[^"]+"$/);
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const same = await customer.api.get(path, { headers: { 'if-none-match': known } });
    expect(same.status(), known).toBe(304);
    expect(same.headers().etag).toBe(etag);
    expect(await same.text()).toBe('');
  }
  await customer.cancel(request_id);
  const changed = await customer.api.get(path, { headers: { 'if-none-match': etag } });
  expect(changed.status()).toBe(200);
  expect(changed.headers().etag).not.toBe(etag);
});

test('a request in progress reports its progress and its remaining time', async ({ idle }) => {
  // a worker has to start, possibly on a busy machine
  test.slow();
  const customer = await idle.open({ gems: 100_000 });
  idle.startWorker();
  // a generation that takes longer than the test
  const body = { prompt: 'waves', resolution: '1080p', duration: '30' };
  const { request_id } = await customer.submit({ architecture: 'lemon', body });
  const seen: RequestWire[] = [];
  const last = async () => {
    seen.push(await customer.status(request_id));
    return seen.at(-1);
  };
  await expect
    .poll(last, { intervals: [50], timeout: 60_000 })
    .toMatchObject({ status: 'in_progress', progress: expect.any(Number), eta_seconds: expect.any(Number) });
  await customer.cancel(request_id);
  const reported = seen.flatMap(({ progress = [] }) => progress);
  expect(reported).toEqual(reported.toSorted((a, b) => a - b));
  expect(seen.at(-1)?.eta_seconds).toBeGreaterThanOrEqual(1);
});

test('the frame of a request in progress is served only to its own account', async ({ idle }) => {
  const [customer, stranger] = [await idle.open(), await idle.open()];
  const { request_id } = await customer.submit({ architecture: 'z_image', body: { prompt: 'a pear' } });
  const bytes = Buffer.from('half a pear');
  await idle.pool.query(`insert into frames (request_id, content_type, bytes) values ($1, 'image/png', $2)`, [
    request_id,
    bytes,
  ]);
  const put = (line: string) =>
    idle.pool.query(`update requests set status = 'in_progress', line = $2 where id = $1`, [request_id, line]);
  await put('preview');
  expect(await customer.status(request_id)).not.toHaveProperty('frame_url');
  await put('gpu');
  const { frame_url } = await customer.status(request_id);
  const path = `/v1/requests/${request_id}/frame`;
  expect(frame_url).toMatch(new RegExp(`${path}\\?at=\\d+$`));
  const frame = await customer.api.get(frame_url!);
  expect(frame.status()).toBe(200);
  expect(frame.headers()).toMatchObject({ 'content-type': 'image/png', 'cache-control': 'no-store' });
  expect(await frame.body()).toEqual(bytes);
  await refusal(await stranger.api.get(path), 404, 'request_not_found');
  await customer.cancel(request_id);
  await refusal(await customer.api.get(path), 404, 'request_not_found');
});

test('GET /v1/requests/{id} gives the resolved config with the seed that is used', async ({ customer }) => {
  const { request_id, seed } = await customer.submit({ body: { prompt: 'wind', sample_rate: 16000 } });
  expect(seed).toEqual(expect.any(Number));
  const { config, mentions, inputs } = await customer.detail(request_id);
  expect(config).toMatchObject({ prompt: 'wind', sample_rate: 16000, duration: '5', seed });
  expect(mentions).toEqual([]);
  expect(inputs).toEqual([]);
});

test('request ids are case-insensitive', async ({ customer }) => {
  const { request_id } = await customer.submit();
  expect((await customer.status(request_id.toUpperCase())).request_id).toBe(request_id);
});

test('the list is newest first and can be filtered by status, architecture, type, text and ids', async ({ idle }) => {
  const customer = await idle.open();
  const other = await idle.open();
  await other.submit();
  const rain = await customer.submit({ body: { prompt: 'Rain on 100% tin_roofs' } });
  const pear = await customer.submit({ architecture: 'z_image', body: { prompt: 'a pear in the rain' } });
  const sea = await customer.submit({ architecture: 'ltx_video', body: { prompt: 'the sea' } });
  await customer.cancel(pear.request_id);
  const ids = async (query: string) => (await customer.list(query)).data.map(({ request_id }) => request_id);

  expect(await ids('')).toEqual([sea.request_id, pear.request_id, rain.request_id]);
  expect(await ids('?status=queued')).toEqual([sea.request_id, rain.request_id]);
  expect(await ids('?status=queued,cancelled')).toHaveLength(3);
  expect(await ids('?status=completed')).toEqual([]);
  expect(await ids('?architecture=z_image')).toEqual([pear.request_id]);
  expect(await ids('?architecture=nothing')).toEqual([]);
  expect(await ids('?type=video')).toEqual([sea.request_id]);
  expect(await ids('?type=image,video')).toEqual([sea.request_id, pear.request_id]);
  expect(await ids('?q=rain')).toEqual([pear.request_id, rain.request_id]);
  expect(await ids('?q=RAIN%20pear')).toEqual([pear.request_id]);
  // characters that LIKE treats specially
  expect(await ids('?q=100%25')).toEqual([rain.request_id]);
  expect(await ids('?q=tin_r')).toEqual([rain.request_id]);
  expect(await ids('?q=tin%25r')).toEqual([]);
  expect(await ids('?q=%25')).toEqual([rain.request_id]);
  expect(await ids('?q=%5C')).toEqual([]);
  expect(await ids(`?ids=${rain.request_id},${sea.request_id}`)).toEqual([sea.request_id, rain.request_id]);
  expect(await ids(`?type=audio&status=queued&q=tin&architecture=seed_audio`)).toEqual([rain.request_id]);
});

test('the ids filter accepts 50 ids and omits requests of other accounts', async ({ idle }) => {
  const customer = await idle.open();
  const other = await idle.open();
  const theirs = await other.submit();
  const mine = await customer.submit();
  const unknown = Array.from({ length: 48 }, () => crypto.randomUUID());
  const { data } = await customer.list(`?ids=${[mine.request_id, theirs.request_id, ...unknown].join(',')}`);
  expect(data.map(({ request_id }) => request_id)).toEqual([mine.request_id]);
});

test('pages have no gaps or duplicates, even when new requests arrive between them', async ({ idle }) => {
  const customer = await idle.open();
  const submitted = [];
  for (let index = 0; index < 7; index++) submitted.push((await customer.submit()).request_id);
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<Customer['list']>> = await customer.list(
      `?limit=3${cursor ? `&cursor=${cursor}` : ''}`,
    );
    seen.push(...page.data.map(({ request_id }) => request_id));
    cursor = page.next_cursor;
    if (cursor) await customer.submit();
  } while (cursor);
  expect(seen).toEqual(submitted.toReversed());
});

test('the last page has no cursor, also when it is full or empty', async ({ idle }) => {
  const customer = await idle.open();
  expect(await customer.list()).toEqual({ data: [], next_cursor: null });
  for (let index = 0; index < 4; index++) await customer.submit();
  const first = await customer.list('?limit=2');
  const second = await customer.list(`?limit=2&cursor=${first.next_cursor}`);
  expect(second.data).toHaveLength(2);
  expect(second.next_cursor).toBeNull();
});

test('DELETE removes the media of a final request: its URL answers 410, its row stays', async ({ customer }) => {
  const { request_id, result } = await customer.generate();
  expect((await customer.api.get(result.url)).status()).toBe(200);
  const removed = await customer.api.delete(`/v1/requests/${request_id}`);
  expect(removed.status()).toBe(204);
  expect(await removed.text()).toBe('');
  await expectGone(customer, result.url);
  const after = await customer.status(request_id);
  expect(after).toMatchObject({ status: 'completed', result: { ...result, expires_at: after.removed_at } });
  // a second deletion changes nothing
  expect((await customer.api.delete(`/v1/requests/${request_id}`)).status()).toBe(204);
});

test('DELETE of a cancelled request without media answers 204', async ({ idle }) => {
  const customer = await idle.open();
  const { request_id } = await customer.submit();
  await customer.cancel(request_id);
  expect((await customer.api.delete(`/v1/requests/${request_id}`)).status()).toBe(204);
});

test('the URL of an expired result answers 410', async ({ house, customer }) => {
  const { request_id, result } = await customer.generate();
  await house.pool.query(`update media set expires_at = now() - interval '1 second' where request_id = $1`, [
    request_id,
  ]);
  await expectGone(customer, result.url);
});

async function expectGone(customer: Customer, url: string): Promise<void> {
  const asked: Record<string, string>[] = [{}, { range: 'bytes=0-9' }, { 'if-none-match': '*' }];
  for (const headers of asked) await refusal(await customer.api.get(url, { headers }), 410, 'media_expired');
}
