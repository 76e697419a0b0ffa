import { randomUUID } from 'node:crypto';
import OpenAI, { toFile } from 'openai';
import { makeImage, makeWav } from '#lib/media/media-test-files';
import type { Customer } from '../customer.ts';
import { expect, test } from '../fixtures.ts';
import type { House } from '../house.ts';
import { raw } from '../raw-http.ts';

// the official OpenAI client, with only the base URL and the key changed

const clientOf = (house: Pick<House, 'baseURL'>, { key }: Pick<Customer, 'key'>) =>
  new OpenAI({ baseURL: `${house.baseURL}/openai/v1`, apiKey: key, maxRetries: 0 });

const picture = (name = 'pear.png') =>
  makeImage(64, 64)
    .png()
    .toBuffer()
    .then(bytes => toFile(bytes, name));

/** Expects a call to be refused and returns its error. */
const refusal = async (call: Promise<unknown>) => {
  const error: unknown = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(OpenAI.APIError);
  return error as InstanceType<typeof OpenAI.APIError>;
};

test('models: listing all, retrieving one, and the available ids when one does not exist', async ({
  house,
  customer,
}) => {
  const openai = clientOf(house, customer);
  const ids: string[] = [];
  for await (const { id, object } of openai.models.list()) {
    expect(object).toBe('model');
    ids.push(id);
  }
  expect(ids).toEqual(expect.arrayContaining(['mango', 'z_image', 'lemon', 'seed_audio']));
  expect(await openai.models.retrieve('mango')).toMatchObject({ id: 'mango', owned_by: 'pomona' });
  const error = await refusal(openai.models.retrieve('gpt-image-1'));
  expect(error).toMatchObject({ status: 404, code: 'model_not_found', param: 'model' });
  expect(error.message).toContain('z_image');
});

test('images: n images of the requested shape, as URLs and base64, with the price in a header', async ({
  house,
  customer,
}) => {
  const { data, response } = await clientOf(house, customer)
    .images.generate({ model: 'z_image', prompt: 'a pear on a sill', n: 2, size: '1536x1024' })
    .withResponse();
  expect(response.headers.get('pomona-gems')).toBe('20');
  const [first, second] = response.headers.get('pomona-requests')!.split(', ');
  expect((await customer.status(first!)).status).toBe('completed');
  expect(second).not.toBe(first);
  expect(await customer.balance()).toBe(9_980);
  expect(data.data).toHaveLength(2);
  const [width, height] = data.size!.split('x').map(Number);
  expect(width! / height!).toBeCloseTo(1.5, 1);
  const { url, b64_json } = data.data![0]!;
  const file = await customer.api.get(url!);
  expect(file.headers()['content-type']).toBe('image/png');
  expect((await file.body()).equals(Buffer.from(b64_json!, 'base64'))).toBe(true);
});

test('images: base64 data, priced by quality, with fields of the model', async ({ house, customer }) => {
  const openai = clientOf(house, customer);
  const ask = { model: 'z_image', prompt: 'a pear', response_format: 'b64_json', seed: 7 } as const;
  const low = await openai.images.generate({ ...ask, quality: 'low' }).withResponse();
  const high = await openai.images.generate({ ...ask, quality: 'high' }).withResponse();
  expect([low, high].map(({ response }) => response.headers.get('pomona-gems'))).toEqual(['10', '20']);
  const bytes = Buffer.from(low.data.data![0]!.b64_json!, 'base64');
  const { result } = await customer.status(low.response.headers.get('pomona-requests')!);
  expect(result).toMatchObject({ seed: 7 });
  expect(bytes.equals(await (await customer.api.get(result!.url)).body())).toBe(true);
});

test('edits: one image, several images, and a refusal by a model without image inputs', async ({ house, customer }) => {
  const openai = clientOf(house, customer);
  const ask = { model: 'guava', image: await picture(), prompt: 'at night', response_format: 'url' } as const;
  expect((await openai.images.edit(ask)).data).toEqual([{ url: expect.stringContaining('/media/result/') }]);
  const several = { image: [await picture('a.png'), await picture('b.png')], prompt: 'together' };
  const { response } = await openai.images.edit({ model: 'mango', ...several, quality: 'low' }).withResponse();
  const request = await customer.detail(response.headers.get('pomona-requests')!);
  expect(request.inputs).toHaveLength(2);
  // the JSON form of the OpenAI API
  const image_url = `data:image/png;base64,${Buffer.from(await (await picture()).arrayBuffer()).toString('base64')}`;
  const body = { model: 'mango', prompt: 'at dawn', quality: 'low', images: [{ image_url }] };
  const made = await customer.api.post('/openai/v1/images/edits', { data: body });
  expect((await made.json()).data).toHaveLength(1);
  expect((await customer.detail(made.headers()['pomona-requests']!)).inputs).toHaveLength(1);
  const error = await refusal(openai.images.edit({ model: 'z_image', image: await picture(), prompt: 'x' }));
  expect(error).toMatchObject({ status: 404, code: 'model_not_found' });
  expect(error.message).toMatch(/mango/);
  const masked = openai.images.edit({ model: 'mango', image: await picture(), mask: await picture(), prompt: 'x' });
  expect(await refusal(masked)).toMatchObject({ status: 400, param: 'mask' });
});

test('videos: created, retrieved, downloaded, listed and deleted', async ({ house, customer }) => {
  const openai = clientOf(house, customer);
  const made = await openai.videos.create({
    model: 'ltx_video',
    prompt: 'a heron takes off',
    seconds: '4',
    input_reference: await picture(),
  });
  expect(made).toMatchObject({ object: 'video', model: 'ltx_video', status: /queued|in_progress/, error: null });
  // 121 frames at 24 per second
  expect(made).toMatchObject({ seconds: '5.04', size: expect.stringMatching(/^[1-9]\d+x[1-9]\d+$/) });
  await customer.finish({ request_id: made.id });
  const video = await openai.videos.retrieve(made.id);
  expect(video).toMatchObject({ id: made.id, status: 'completed', progress: 100, prompt: 'a heron takes off' });
  expect(video.expires_at! - video.created_at).toBeGreaterThan(29 * 86_400);
  const file = await openai.videos.downloadContent(made.id);
  expect(file.headers.get('content-type')).toBe('video/mp4');
  expect((await openai.videos.downloadContent(made.id, { variant: 'thumbnail' })).headers.get('content-type')).toBe(
    'image/webp',
  );
  expect(await refusal(openai.videos.downloadContent(made.id, { variant: 'spritesheet' }))).toMatchObject({
    status: 400,
  });

  const listed: string[] = [];
  for await (const { id } of openai.videos.list({ limit: 1 })) listed.push(id);
  expect(listed).toEqual([made.id]);
  for (const query of ['limit=1&limit=2', 'limit=1e1', 'limit=101']) {
    const refused = await customer.api.get(`/openai/v1/videos?${query}`);
    expect([refused.status(), (await refused.json()).error], query).toMatchObject([400, { param: 'limit' }]);
  }
  expect(await openai.videos.delete(made.id)).toEqual({ id: made.id, object: 'video.deleted', deleted: true });
  expect((await openai.videos.list()).data).toEqual([]);
  const gone = { status: 404, code: 'request_not_found' };
  expect(await refusal(openai.videos.retrieve(made.id))).toMatchObject(gone);
  expect(await refusal(openai.videos.downloadContent(made.id))).toMatchObject(gone);
  expect(await refusal(openai.videos.delete(made.id))).toMatchObject(gone);
});

test('videos: fields of the model are converted from the text of a form', async ({ idle }) => {
  const customer = await idle.open();
  const openai = clientOf(idle, customer);
  const own = { seed: 7, guidance_scale: 4.5, prompt_enhance: false };
  const { id } = await openai.videos.create({ model: 'ltx_video', prompt: 'a heron', ...own });
  expect((await customer.detail(id)).config).toMatchObject(own);
  const error = await refusal(openai.videos.create({ model: 'ltx_video', prompt: 'a heron', seed: 'seven' } as never));
  expect(error).toMatchObject({ status: 400, param: 'seed' });
  expect(error.message).toContain('it is "seven"');
});

test('videos: failed, cancelled and refused ones have the status failed and an error', async ({ idle }) => {
  const [customer, poor] = [await idle.open(), await idle.open({ gems: 0 })];
  const openai = clientOf(idle, customer);
  const ask = { model: 'ltx_video' as never, prompt: 'a heron' };
  const read = (id: string) => openai.videos.retrieve(id);
  const [stopped, broken] = [await openai.videos.create(ask), await openai.videos.create(ask)];
  await customer.cancel(stopped.id);
  await idle.pool.query(
    `update requests set status = 'failed', refunded = true, error_message = 'The model gave up.', finished_at = now() where id = $1`,
    [broken.id],
  );
  const running = await openai.videos.create(ask);
  await idle.pool.query(`update requests set status = 'in_progress', progress = 0.427 where id = $1`, [running.id]);
  expect(await read(running.id)).toMatchObject({ status: 'in_progress', progress: 42 });
  const early = await refusal(openai.videos.downloadContent(running.id));
  expect(early).toMatchObject({ status: 404, message: expect.stringContaining('the video is in_progress') });
  const over = { status: 'failed', completed_at: null };
  const cancelled = { code: 'generation_cancelled', message: 'The video was cancelled.' };
  expect(await read(stopped.id)).toMatchObject({ ...over, error: cancelled });
  const failed = { code: 'generation_failed', message: 'The model gave up.' };
  expect(await read(broken.id)).toMatchObject({ ...over, error: failed });

  const refused = await poor.post({ architecture: 'ltx_video', body: { prompt: 'a heron' } });
  const { request_id, code, message } = (await refused.json()).error;
  expect(code).toBe('insufficient_gems');
  const video = await clientOf(idle, poor).videos.retrieve(request_id);
  expect(video).toMatchObject({ ...over, id: request_id, error: { code, message } });
});

test('videos: an image is not found by any video operation', async ({ house, customer }) => {
  const openai = clientOf(house, customer);
  const { response } = await openai.images.generate({ model: 'z_image', prompt: 'a pear' }).withResponse();
  const id = response.headers.get('pomona-requests')!;
  const notFound = { status: 404, code: 'request_not_found' };
  expect(await refusal(openai.videos.retrieve(id))).toMatchObject(notFound);
  expect(await refusal(openai.videos.downloadContent(id))).toMatchObject(notFound);
  expect(await refusal(openai.videos.delete(id))).toMatchObject(notFound);
  expect((await customer.list()).data).toMatchObject([{ request_id: id, status: 'completed' }]);
});

test('speech: the duration follows text and speed, and the handle of an audio reference is a voice', async ({
  house,
  customer,
}) => {
  const openai = clientOf(house, customer);
  const input = 'The pears are ripe, and the ladder stands against the old tree. Bring the wide basket.';
  const { data: sound, response } = await openai.audio.speech
    .create({ model: 'seed_audio', voice: 'alloy', input, speed: 1.5 })
    .withResponse();
  expect(sound.headers.get('content-type')).toBe('audio/mpeg');
  const first = await customer.detail(response.headers.get('pomona-requests')!);
  expect((await sound.arrayBuffer()).byteLength).toBe(first.result!.bytes);
  expect(first).toMatchObject({ prompt: input, config: { duration: '5', speech_rate: 50 } });

  const voice = `data:audio/wav;base64,${makeWav(1).toString('base64')}`;
  const reference = await customer.api.post('/v1/references', { data: { name: 'Rain', kind: 'audio', audio: voice } });
  const { handle } = await reference.json();
  const spoken = await openai.audio.speech.create({ model: 'seed_audio', voice: handle, input }).withResponse();
  const second = await customer.detail(spoken.response.headers.get('pomona-requests')!);
  expect(second).toMatchObject({ prompt: `@${handle}: ${input}`, mentions: [{ handle }], config: { duration: '10' } });
});

test('refusals have the error shape of the OpenAI API and are not charged', async ({ idle }) => {
  const [customer, poor] = [await idle.open(), await idle.open({ gems: 15 })];
  const openai = clientOf(idle, customer);
  const wrong = { baseURL: idle.baseURL, key: 'sk-nothing' };
  const prompt = 'a pear';
  expect(await refusal(clientOf(wrong, wrong).models.list())).toMatchObject({ status: 401, code: 'invalid_api_key' });
  const bad = async (body: object) => refusal(openai.images.generate({ model: 'z_image', prompt, ...body }));
  expect(await bad({ model: 'dall-e-3' })).toMatchObject({ status: 404, code: 'model_not_found', param: 'model' });
  expect(await bad({ model: 'lemon' })).toMatchObject({ status: 404 });
  expect(await bad({ size: 'large' })).toMatchObject({ status: 400, param: 'size', type: 'invalid_request_error' });
  for (const n of [11, true, [2], 'two', ' ', 1.5])
    expect(await bad({ n }), String(n)).toMatchObject({ status: 400, param: 'n' });
  const film = { model: 'ltx_video' as const, prompt };
  for (const seconds of [true, [4], 'four', 0])
    expect(await refusal(openai.videos.create({ ...film, seconds: seconds as never }))).toMatchObject({
      param: 'seconds',
    });
  for (const input_reference of ['', { image_url: '' }])
    expect(await refusal(openai.videos.create({ ...film, input_reference: input_reference as never }))).toMatchObject({
      status: 400,
      param: 'input_reference',
    });
  expect(await bad({ quality: 'lovely' })).toMatchObject({ status: 400, param: 'quality' });
  expect(await bad({ prompt: '' })).toMatchObject({ status: 400, param: 'prompt' });
  const forbidden = 'step by step instructions for a pipe bomb';
  expect(await bad({ prompt: forbidden })).toMatchObject({ status: 400, code: 'content_policy_violation' });
  expect(await bad({ stream: true })).toMatchObject({ status: 400, param: 'stream' });
  expect(await bad({ output_format: 'webp' })).toMatchObject({ status: 400, param: 'output_format' });
  expect(await refusal(openai.videos.list({ after: 'video_123' }))).toMatchObject({ status: 400, param: 'after' });
  expect(await refusal(openai.videos.retrieve('video_123'))).toMatchObject({ status: 404, code: 'request_not_found' });
  expect(await refusal(openai.chat.completions.create({ model: 'mango', messages: [] }))).toMatchObject({
    status: 404,
    code: 'not_found',
  });
  expect((await customer.api.get('/openai/v1/videos?order=asc')).status()).toBe(400);
  const speech = { model: 'seed_audio', voice: 'alloy', input: 'x' } as const;
  for (const [param, value] of Object.entries({ response_format: 'opus', stream_format: 'sse', speed: 5 }))
    expect(await refusal(openai.audio.speech.create({ ...speech, [param]: value }))).toMatchObject({
      status: 400,
      param,
    });
  // the gems suffice for one image, not for two
  const short = await refusal(clientOf(idle, poor).images.generate({ model: 'z_image', prompt, n: 2 }));
  expect(short).toMatchObject({ status: 429, code: 'insufficient_quota' });
  expect(short.headers?.get('x-should-retry')).toBe('false');
  expect([await customer.balance(), await poor.balance()]).toEqual([10_000, 15]);
  const reads = await idle.addKey(customer, { scopes: ['read'] });
  const reader = clientOf(idle, reads);
  const makes = clientOf(idle, await idle.addKey(customer, { scopes: ['generate'] }));
  for (const act of [
    () => reader.images.generate({ prompt }),
    () => reader.videos.create({ prompt }),
    () => reader.videos.delete(randomUUID()),
    () => reader.audio.speech.create({ input: prompt, model: 'seed_audio', voice: 'alloy' }),
    () => makes.models.list(),
    () => makes.videos.retrieve(randomUUID()),
  ])
    expect(await refusal(act())).toMatchObject({ status: 403 });
  expect((await customer.api.get('/openai/v1')).status()).toBe(404);
});

test('unknown paths are refused in the error shape of the OpenAI API, for every method', async ({ baseURL, customer }, {
  project,
}) => {
  const headers = { authorization: `Bearer ${customer.key}` };
  // plain Next answers malformed paths and unknown methods itself
  const isOurs = project.name !== 'api-next';
  const malformed = ['/openai/v1/images/%zz', '/openai/v1/models/%E0%A4%A'];
  for (const path of ['/openai', '/openai/v2/models', ...(isOurs ? malformed : [])])
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', ...(isOurs ? ['PROPFIND'] : [])]) {
      const { status, text } = await raw(baseURL!, { method, path, headers });
      expect(status, `${method} ${path}`).toBe(404);
      const error = { message: expect.any(String), type: 'invalid_request_error', param: null, code: 'not_found' };
      if (method !== 'HEAD') expect(JSON.parse(text)).toEqual({ error });
    }
});

test('videos of another account are neither found nor listed', async ({ idle }) => {
  const [owner, other] = [await idle.open(), await idle.open()];
  const { id } = await clientOf(idle, owner).videos.create({ model: 'ltx_video', prompt: 'a heron' });
  const openai = clientOf(idle, other);
  expect(await refusal(openai.videos.retrieve(id))).toMatchObject({ status: 404 });
  expect(await refusal(openai.videos.downloadContent(id))).toMatchObject({ status: 404 });
  expect(await refusal(openai.videos.delete(id))).toMatchObject({ status: 404 });
  expect((await openai.videos.list()).data).toEqual([]);
  expect(await refusal(clientOf(idle, owner).videos.delete(id))).toMatchObject({ status: 409, code: 'request_live' });
});

test('a refusal at the in-flight limit has Retry-After', async ({ idle }) => {
  const customer = await idle.open();
  await idle.pool.query('update accounts set in_flight_limit = 0 where id = $1', [customer.accountId]);
  const error = await refusal(clientOf(idle, customer).images.generate({ model: 'z_image', prompt: 'a pear' }));
  expect(error).toMatchObject({ status: 429, code: 'rate_limit_exceeded', type: 'requests' });
  expect(Number(error.headers?.get('retry-after'))).toBeGreaterThan(0);
});

test('with a small in-flight limit fewer images are made, and only those are charged', async ({ house, customer }) => {
  await house.pool.query('update accounts set in_flight_limit = 1 where id = $1', [customer.accountId]);
  const { data } = await clientOf(house, customer).images.generate({ model: 'z_image', prompt: 'a pear', n: 3 });
  expect(data!.length).toBeLessThan(3);
  expect(await customer.balance()).toBe(10_000 - 10 * data!.length);
});

test('cancelled images are an error that tells clients not to retry', async ({ idle }) => {
  const customer = await idle.open();
  const asked = refusal(clientOf(idle, customer).images.generate({ model: 'z_image', prompt: 'a pear', n: 2 }));
  const live = async () => (await customer.list()).data;
  await expect.poll(async () => (await live()).length).toBe(2);
  for (const { request_id } of await live()) await customer.cancel(request_id);
  const error = await asked;
  expect(error).toMatchObject({ status: 500, code: 'generation_cancelled' });
  expect(error.headers?.get('x-should-retry')).toBe('false');
});

test('malformed forms and forms with text that cannot be stored are refused', async ({ idle }) => {
  const { api } = await idle.open();
  const post = (multipart: Record<string, string>) => api.post('/openai/v1/videos', { multipart });
  expect((await post({ prompt: 'a\0b' })).status()).toBe(400);
  expect((await post({ __proto__: 'x', prompt: '' })).status()).toBe(400);
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  expect((await api.post('/openai/v1/videos', { data: 'no form', headers })).status()).toBe(400);
  const loud = { 'content-type': 'Multipart/Form-Data; boundary=x' };
  const form = '--x\r\ncontent-disposition: form-data; name="model"\r\n\r\nmango\r\n--x--\r\n';
  const read = await api.post('/openai/v1/videos', { data: form, headers: loud });
  expect((await read.json()).error).toMatchObject({ param: 'prompt' });
  const many = Array.from(
    { length: 101 },
    (_, n) => `--x\r\ncontent-disposition: form-data; name="a${n}"\r\n\r\n1\r\n`,
  );
  expect((await api.post('/openai/v1/videos', { data: `${many.join('')}--x--\r\n`, headers })).status()).toBe(400);
});

test('a call repeated with its idempotency key returns the images of the first call', async ({ house, customer }) => {
  const openai = clientOf(house, customer);
  const headers = { 'idempotency-key': `pears ${customer.keyId}` };
  const ask = () => openai.images.generate({ model: 'z_image', prompt: 'a pear', n: 2 }, { headers });
  const [first, second] = [await ask(), await ask()];
  expect(second.data).toEqual(first.data);
  // the body of a replay is not compared; a call for one image gets the first image
  const one = await openai.images.generate({ model: 'z_image', prompt: 'a fig' }, { headers });
  expect(one.data).toEqual(first.data?.slice(0, 1));
  expect(await customer.balance()).toBe(9_980);
});

test('a repeated call omits deleted results; if all are deleted, it answers 410 and tells clients not to retry', async ({
  house,
  customer,
}) => {
  const openai = clientOf(house, customer);
  const headers = { 'idempotency-key': `gone ${customer.keyId}` };
  const ask = () => openai.images.generate({ model: 'z_image', prompt: 'a pear', n: 2 }, { headers }).withResponse();
  const { data, response } = await ask();
  const [first, second] = response.headers.get('pomona-requests')!.split(', ');
  await customer.api.delete(`/v1/requests/${first}`);
  expect((await ask()).data.data).toEqual(data.data!.slice(1));
  await customer.api.delete(`/v1/requests/${second}`);
  const error = await refusal(ask());
  expect(error).toMatchObject({ status: 410, code: 'media_expired', type: 'invalid_request_error' });
  expect(error.headers?.get('x-should-retry')).toBe('false');

  const spoken = { 'idempotency-key': `gone speech ${customer.keyId}` };
  const speak = () =>
    openai.audio.speech.create({ model: 'seed_audio', voice: 'alloy', input: 'Good day.' }, { headers: spoken });
  const sound = await speak();
  await sound.arrayBuffer();
  await customer.api.delete(`/v1/requests/${sound.headers.get('pomona-requests')}`);
  expect(await refusal(speak())).toMatchObject({ status: 410, code: 'media_expired' });
});

test('speech: an @ in the text mentions nobody', async ({ idle }) => {
  const customer = await idle.open();
  const speech = { model: 'seed_audio', voice: 'alloy', input: 'Follow @nobody_here today.' } as const;
  const asked = refusal(clientOf(idle, customer).audio.speech.create(speech));
  await expect.poll(async () => (await customer.list()).data.length).toBe(1);
  const { request_id } = (await customer.list()).data[0]!;
  expect(await customer.detail(request_id)).toMatchObject({ mentions: [] });
  await customer.cancel(request_id);
  expect(await asked).toMatchObject({ code: 'generation_cancelled' });
});

test('a server that stops answers pending calls with their request ids, and nothing is charged twice', async ({
  idle,
}, { project }) => {
  test.skip(project.name === 'api-next', 'Next hangs up at once');
  const web = await idle.startWeb();
  const [customer, other, speaker] = [await idle.open(), await idle.open(), await idle.open()];
  const [one, keyed, third] = [customer, other, speaker].map(who =>
    clientOf({ baseURL: web.baseURL }, who).withOptions({ maxRetries: 2 }),
  );
  const ask = { model: 'z_image', prompt: 'a pear', n: 2 } as const;
  const images = refusal(one!.images.generate(ask));
  const headers = { 'idempotency-key': 'pears' };
  const again = refusal(keyed!.images.generate(ask, { headers, maxRetries: 0 }));
  const speech = refusal(third!.audio.speech.create({ model: 'seed_audio', voice: 'alloy', input: 'Good day.' }));
  const countOf = async (who: Customer) => (await who.list()).data.length;
  const counts = () => Promise.all([customer, other, speaker].map(countOf));
  await expect.poll(counts).toEqual([2, 2, 1]);
  await web.stop();
  for (const error of [await images, await speech]) {
    expect(error).toMatchObject({ status: 500, code: 'generation_in_progress' });
    expect(error.headers?.get('x-should-retry')).toBe('false');
    const [id] = error.headers!.get('pomona-requests')!.split(', ');
    expect(error.message).toContain(id);
  }
  // with an idempotency key, a retry finds the live requests
  expect((await again).headers?.get('x-should-retry')).toBe('true');
  expect(await counts()).toEqual([2, 2, 1]);
  expect(await customer.balance()).toBe(10_000 - 20);
});
