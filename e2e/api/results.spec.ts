import type { APIRequestContext } from '@playwright/test';
import sharp from 'sharp';
import { openContext } from '../api-context.ts';
import { refusal } from '../customer.ts';
import { expect, test } from '../fixtures.ts';
import { inspect } from '../media.ts';
import { openMember } from '../member.ts';

// result files, downloaded and inspected

const download = async (api: APIRequestContext, url: string) => {
  const response = await api.get(url);
  expect(response.status()).toBe(200);
  return response.body();
};

test('an image is a PNG of exactly the size that the result says', async ({ customer }) => {
  const body = { prompt: 'a pear', aspect_ratio: '16:9', resolution: '1k', seed: 7 };
  const { result, type } = await customer.generate({ architecture: 'z_image', body });
  expect(type).toBe('image');
  expect(result).toMatchObject({ type: 'image', content_type: 'image/png', seed: 7, moderation: { nsfw: false } });
  expect(result).not.toHaveProperty('duration');
  const bytes = await download(customer.api, result.url);
  expect(bytes).toHaveLength(result.bytes);
  const { format, width, height } = await sharp(bytes).metadata();
  expect({ format, width, height }).toEqual({ format: 'png', width: result.width, height: result.height });
  expect(width / height).toBeCloseTo(16 / 9, 5);
  // not a single flat colour
  expect((await sharp(bytes).stats()).entropy).toBeGreaterThan(1);
});

test('a video without sound is H.264 in the requested aspect ratio and resolution, without an audio track', async ({
  customer,
}) => {
  const body = { prompt: 'waves', aspect_ratio: '1:1', resolution: '480p' };
  const { result } = await customer.generate({ architecture: 'ltx_video', body });
  expect(result).toMatchObject({ type: 'video', content_type: 'video/mp4', width: 480, height: 480 });
  const facts = await inspect(await download(customer.api, result.url));
  expect(facts.video).toMatchObject({ codec: 'avc', width: 480, height: 480 });
  expect(facts.video?.duration).toBeCloseTo(result.duration ?? 0, 1);
  expect(facts.audio).toBeNull();
});

test('a video with sound has an AAC track as long as its video track', async ({ customer }) => {
  const body = { prompt: 'waves', aspect_ratio: '9:16', resolution: '480p', duration: '2', audio: true };
  const { result } = await customer.generate({ architecture: 'lemon', body });
  expect(result.duration).toBe(2);
  const { video, audio } = await inspect(await download(customer.api, result.url));
  expect(video).toMatchObject({ codec: 'avc', width: result.width, height: result.height });
  expect(result.width).toBe(480);
  expect(video?.duration).toBeCloseTo(2, 1);
  expect(audio).toMatchObject({ codec: 'aac', sampleRate: 48_000 });
  expect(audio?.duration).toBeCloseTo(2, 1);
});

for (const [duration, sample_rate] of [
  ['5', 48_000],
  ['10', 16_000],
] as const) {
  test(`audio is an MP3 of ${duration} seconds at ${sample_rate} Hz`, async ({ customer }) => {
    const { result } = await customer.generate({ body: { prompt: 'rain', duration, sample_rate } });
    expect(result).toMatchObject({ type: 'audio', content_type: 'audio/mpeg', width: 0, height: 0 });
    expect(result.duration).toBe(Number(duration));
    const { mimeType, video, audio } = await inspect(await download(customer.api, result.url));
    expect(mimeType).toContain('audio/mpeg');
    expect(video).toBeNull();
    expect(audio).toMatchObject({ codec: 'mp3', sampleRate: sample_rate });
    // MP3 frames have up to 1,152 samples, so the duration is not exact
    expect(Math.abs((audio?.duration ?? 0) - Number(duration))).toBeLessThan(2_400 / sample_rate);
  });
}

test('the same architecture, config and seed give the same output; another seed does not', async ({ customer }) => {
  const files = await Promise.all(
    [11, 11, 12].map(async seed => {
      const { result } = await customer.generate({ body: { prompt: 'a piano', seed } });
      expect(result.seed).toBe(seed);
      return download(customer.api, result.url);
    }),
  );
  expect(files[0]?.equals(files[1]!)).toBe(true);
  expect(files[0]?.equals(files[2]!)).toBe(false);
});

test('the prompt, the seed and the settings are embedded in the file', async ({ customer }) => {
  const prompt = 'an orchard nobody else would ask for';
  const body = { prompt, seed: 4_294_967_295, aspect_ratio: '21:9' };
  const { result } = await customer.generate({ architecture: 'z_image', body });
  const text = (await download(customer.api, result.url)).toString('latin1');
  expect(text).toContain(prompt);
  expect(text).toContain('4294967295');
  expect(text).toContain('"aspect_ratio":"21:9"');
});

for (const [architecture, body] of [
  ['z_image', { resolution: '1k' }],
  ['ltx_video', { resolution: '480p' }],
  ['seed_audio', {}],
] as const) {
  test(`a file shared without settings contains neither its prompt nor its architecture: ${architecture}`, async ({
    house,
  }) => {
    const { page, customer } = await openMember(house);
    const prompt = 'an orchard nobody shall know of';
    const { request_id, result } = await customer.generate({ architecture, body: { ...body, prompt } });
    const share = await (await page.post('/api/shares', { data: { request_id, settings: false } })).json();
    const stranger = await openContext();
    const shared = await stranger.get(share.url.replace('/s/', '/api/shared/'));
    expect(await shared.text()).not.toContain(result.url);
    const { url } = (await shared.json()).items[0].result;
    const file = await download(stranger, url);
    expect((await download(stranger, result.url)).toString('latin1')).toContain(prompt);
    for (const told of [prompt, architecture, 'Pomona']) expect(file.toString('latin1')).not.toContain(told);
    const part = await stranger.get(url, { headers: { range: 'bytes=30-2999' } });
    expect([part.status(), (await part.body()).equals(file.subarray(30, 3000))]).toEqual([206, true]);
    const [key = 'none'] = /[0-9a-f]{32}/.exec(result.url) ?? [];
    expect(JSON.stringify(part.headers())).not.toContain(key.slice(0, 8));
    // sharing may end at any moment
    expect(part.headers()['cache-control']).toBe('private, no-cache');
    const { etag = 'none' } = part.headers();
    expect((await stranger.get(url, { headers: { 'if-none-match': etag } })).status()).toBe(304);
    const other = { range: 'bytes=0-9', 'if-range': '"another"' };
    expect((await stranger.get(url, { headers: other })).status()).toBe(200);
    const head = await stranger.head(url, { headers: { range: 'bytes=0-9' } });
    expect([head.status(), head.headers()['content-length']]).toEqual([200, String(file.length)]);
    if (architecture === 'z_image')
      expect(await sharp(file).metadata()).toMatchObject({ format: 'png', width: result.width, height: result.height });
    else expect((await inspect(file)).mimeType).toContain(result.content_type);
    expect((await stranger.get(url.replace(request_id, share.id))).status()).toBe(404);
    await page.delete(`/api/shares/${share.id}`);
    expect((await stranger.get(url)).status()).toBe(404);
  });
}

test('a result is served to anyone who has its URL, with safe headers and byte ranges', async ({ customer, baseURL }, {
  project,
}) => {
  const { result } = await customer.generate();
  expect(result.url.startsWith(`${baseURL}/media/`)).toBe(true);
  // 128 random bits
  expect(result.url).toMatch(/[0-9a-f]{32}\.mp3$/);
  const stranger = await openContext();
  const response = await stranger.get(result.url);
  const bytes = await response.body();
  expect(response.headers()).toMatchObject({
    'content-type': 'audio/mpeg',
    'accept-ranges': 'bytes',
    etag: expect.stringMatching(/^"[^"]+"$/),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect(response.headers()).toHaveProperty('cross-origin-resource-policy');
  expect(Object.keys(response.headers()).filter(name => name.startsWith('access-control'))).toEqual([]);

  const head = await stranger.head(result.url);
  expect(head.status()).toBe(200);
  // plain Next sends bodies chunked, without a length
  if (project.name !== 'api-next')
    for (const answer of [response, head]) expect(answer.headers()['content-length']).toBe(String(result.bytes));

  const { etag } = response.headers();
  expect((await stranger.get(result.url, { headers: { 'if-none-match': etag! } })).status()).toBe(304);

  const part = await stranger.get(result.url, { headers: { range: 'bytes=10-19' } });
  expect(part.status()).toBe(206);
  expect(part.headers()['content-range']).toBe(`bytes 10-19/${result.bytes}`);
  expect((await part.body()).equals(bytes.subarray(10, 20))).toBe(true);
  const tail = await stranger.get(result.url, { headers: { range: 'bytes=-5' } });
  expect((await tail.body()).equals(bytes.subarray(-5))).toBe(true);
  const open = await stranger.get(result.url, { headers: { range: `bytes=${result.bytes - 1}-` } });
  expect((await open.body()).equals(bytes.subarray(-1))).toBe(true);

  const beyond = await stranger.get(result.url, { headers: { range: `bytes=${result.bytes}-` } });
  expect(beyond.status()).toBe(416);
  expect(beyond.headers()['content-range']).toBe(`bytes */${result.bytes}`);
});

test('a media path that names no file answers 404', async ({ customer }) => {
  const { result } = await customer.generate();
  const { pathname } = new URL(result.url);
  for (const path of [
    '/media/result/00000000000000000000000000000000.mp3',
    pathname.replace('.mp3', '.png'),
    pathname.replace('/result/', '/input/'),
    '/media/..%2f..%2fpackage.json',
    '/media/result',
    '/media/result/',
  ])
    expect((await customer.api.get(path)).status(), path).toBe(404);
  await refusal(await customer.api.post(pathname), 405, 'method_not_allowed');
});
