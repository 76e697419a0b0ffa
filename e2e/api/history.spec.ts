import sharp from 'sharp';
import type { Customer } from '../customer.ts';
import { refusal } from '../customer.ts';
import { expect, test } from '../fixtures.ts';
import { openMember } from '../member.ts';

// calls of /v1 that the history of the studio makes

const idsOf = async (customer: Customer, query: string) =>
  (await customer.list(query)).data.map(({ request_id }) => request_id);

test('an image and a video have a small WebP preview that expires and is deleted with them', async ({
  customer,
  house,
}) => {
  const shapes = [
    { architecture: 'z_image', body: { prompt: 'a fig', aspect_ratio: '2:3' } },
    { architecture: 'ltx_video', body: { prompt: 'a fig', aspect_ratio: '2:3' } },
  ];
  for (const shape of shapes) {
    const { request_id, result, expected } = await customer.generate(shape);
    expect(expected).toMatchObject({ width: result.width, height: result.height });
    const file = await customer.api.get(String(result.preview_url));
    expect(file.headers()['content-type']).toBe('image/webp');
    const { width, height, format } = await sharp(await file.body()).metadata();
    expect(format).toBe('webp');
    expect(Math.max(width, height)).toBeLessThanOrEqual(480);
    expect(width / height).toBeCloseTo(result.width / result.height, 1);
    const { rows } = await house.pool.query(
      'select count(distinct expires_at)::int as times, count(*)::int from media where request_id = $1',
      [request_id],
    );
    const { renditions = [] } = result;
    expect(renditions.length).toBeGreaterThan(0);
    expect(rows).toEqual([{ times: 1, count: 1 + renditions.length }]);
    await customer.api.delete(`/v1/requests/${request_id}`);
    await refusal(await customer.api.get(String(result.preview_url)), 410, 'media_expired');
  }
});

test('a change to a finished request sets updated_at, a repeated one does not, and finished_at stays the same', async ({
  customer,
}) => {
  const { updated_at: finished, ...made } = await customer.generate();
  expect(made).toMatchObject({ finished_at: finished });
  const at = `/v1/requests/${made.request_id}`;
  let before = finished;
  const acts = [
    () => customer.api.put(`${at}/keep`),
    () => customer.api.delete(`${at}/keep`),
    () => customer.api.delete(at),
  ];
  for (const act of acts) {
    const changes: string[] = [];
    for (let times = 0; times < 2; times++) {
      await act();
      const now = await customer.status(made.request_id);
      changes.push(now.updated_at);
      expect(now).toMatchObject({ finished_at: finished });
    }
    expect(changes[0]! > before).toBe(true);
    expect(changes[1]).toBe(changes[0]);
    before = changes[0]!;
  }
});

test('an audio result has loudness peaks instead of a preview', async ({ customer }) => {
  const { result } = await customer.generate();
  expect(result.preview_url).toBeUndefined();
  expect(result.peaks).toHaveLength(64);
  expect(Math.max(...(result.peaks ?? []))).toBe(100);
});

test('a favourite can be set, filtered and unset, but only by its own account', async ({ idle }) => {
  const customer = await idle.open();
  const [one, other] = [await customer.submit(), await customer.submit()];
  const mark = `/v1/requests/${one.request_id}/favourite`;
  expect(await (await customer.api.put(mark)).json()).toMatchObject({ request_id: one.request_id, favourite: true });
  expect(await idsOf(customer, '?favourite=true')).toEqual([one.request_id]);
  expect(await idsOf(customer, '?favourite=false')).toEqual([other.request_id]);
  const stranger = await idle.open();
  await refusal(await stranger.api.put(mark), 404, 'request_not_found');
  await refusal(await stranger.api.delete(mark), 404, 'request_not_found');
  expect(await (await customer.api.delete(mark)).json()).toMatchObject({ favourite: false });
  expect(await idsOf(customer, '?favourite=true')).toEqual([]);
  await refusal(await customer.api.get('/v1/requests?favourite=yes'), 400, 'invalid_request');
});

test('tags are added, found in any case or Unicode form, and removed; invalid tags are refused', async ({ idle }) => {
  const customer = await idle.open();
  const [one] = [await customer.submit(), await customer.submit()];
  const tag = `/v1/requests/${one.request_id}/tags`;
  expect(await (await customer.api.put(`${tag}/Ripe%20figs`)).json()).toMatchObject({ tags: ['ripe figs'] });
  expect(await idsOf(customer, '?tag=RIPE%20figs')).toEqual([one.request_id]);
  expect(await idsOf(customer, '?tag=other')).toEqual([]);
  // an é as one code point, and as an e with a combining accent
  expect(await (await customer.api.put(`${tag}/caf%C3%A9`)).json()).toMatchObject({ tags: ['café', 'ripe figs'] });
  expect(await idsOf(customer, '?tag=cafe%CC%81')).toEqual([one.request_id]);
  expect(await (await customer.api.delete(`${tag}/cafe%CC%81`)).json()).toMatchObject({ tags: ['ripe figs'] });
  for (const bad of ['a,b', 'a%2Fb', 'x'.repeat(41), '%20', '%E2%80%8B'])
    await refusal(await customer.api.put(`${tag}/${bad}`), 400, 'invalid_request');
  await refusal(await (await idle.open()).api.put(`${tag}/mine`), 404, 'request_not_found');
  expect(await (await customer.api.delete(`${tag}/ripe%20figs`)).json()).toMatchObject({ tags: [] });
  expect(await idsOf(customer, '?tag=ripe%20figs')).toEqual([]);
});

test('the list can be filtered by a handle that the prompt mentions', async ({ idle }) => {
  const customer = await idle.open();
  const face = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#caa58f' } })
    .png()
    .toBuffer();
  const image = `data:image/png;base64,${face.toString('base64')}`;
  const { handle } = await (await customer.api.post('/v1/characters', { data: { name: 'Ana', image } })).json();
  const { request_id } = await customer.submit({ architecture: 'mango', body: { prompt: `@${handle} in the rain` } });
  await customer.submit({ architecture: 'mango', body: { prompt: `\\@${handle} is only written` } });
  expect(await idsOf(customer, `?mention=${handle}`)).toEqual([request_id]);
  expect(await idsOf(customer, `?mention=%40${handle.toUpperCase()}`)).toEqual([request_id]);
  expect(await idsOf(customer, '?mention=nobody')).toEqual([]);
  await refusal(await customer.api.get('/v1/requests?mention=1x'), 400, 'invalid_request');
});

test('a deleted request is hidden by removed=false, but can still be read', async ({ idle }) => {
  const customer = await idle.open();
  const { request_id } = await customer.submit();
  await customer.cancel(request_id);
  expect(await idsOf(customer, '?removed=false')).toEqual([request_id]);
  await customer.api.delete(`/v1/requests/${request_id}`);
  expect(await idsOf(customer, '?removed=false')).toEqual([]);
  expect(await idsOf(customer, '')).toEqual([request_id]);
  const { removed_at } = await customer.status(request_id);
  await customer.api.delete(`/v1/requests/${request_id}`);
  expect((await customer.status(request_id)).removed_at).toBe(removed_at);
});

test('a zip needs 1 to 200 request ids or the id of a collection, each parameter given once', async ({ idle }) => {
  const { page, customer } = await openMember(idle);
  const { request_id: id } = await customer.submit();
  const ask = async (query: string, status: number, code: string) =>
    (await refusal(await page.get(`/api/history/zip${query}`), status, code)).issues;
  const ids = { path: '/ids', message: expect.stringContaining('1 to 200 request ids, separated by commas') };
  for (const query of ['', '?ids=', '?ids=x', `?ids=${id},`, `?ids=${Array.from({ length: 201 }, () => id).join(',')}`])
    expect(await ask(query, 400, 'invalid_request')).toEqual([ids]);
  const collection = { path: '/collection', message: expect.stringContaining('must be the id of a collection') };
  expect(await ask(`?collection=x&ids=${id}`, 400, 'invalid_request')).toEqual([collection]);
  for (const twice of [`?ids=${id}&ids=${id}`, `?collection=${id}&collection=${id}`])
    expect(await ask(twice, 400, 'invalid_request')).toEqual([
      { path: expect.any(String), message: expect.stringContaining('must be given once; it is given 2 times') },
    ]);
  // the request has no file yet
  await ask(`?ids=${id}`, 404, 'request_not_found');
});
