import { randomBytes, randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { UploadTicketWire, UploadWire } from '#lib/contract/cast-schemas';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { EstimateWire, ListWire } from '#lib/contract/schemas';
import { dataUrl, makeImage, makeWav } from '#lib/media/media-test-files';
import { refusal, type Customer } from '../customer.ts';
import { expect, test } from '../fixtures.ts';

// input files of generations: upload tickets, every media field of every architecture, and refusals

const png = await makeImage(64, 48).png().toBuffer();
const wav = makeWav(2);

async function openTicket(customer: Customer, content_type: string, file_name?: string): Promise<UploadTicketWire> {
  const response = await customer.api.post('/v1/uploads', { data: { content_type, file_name } });
  expect(response.status(), await response.text()).toBe(200);
  return response.json();
}

const put = ({ upload_url, method, headers }: UploadTicketWire, bytes: Buffer) =>
  fetch(upload_url, { method, headers, body: new Uint8Array(bytes) });

async function upload(customer: Customer, bytes: Buffer, contentType: string): Promise<UploadTicketWire> {
  const ticket = await openTicket(customer, contentType);
  expect((await put(ticket, bytes)).status).toBe(200);
  return ticket;
}

const TYPES = [
  'image/jpeg',
  'image/png',
  'video/mp4',
  'video/quicktime',
  'video/webm',
  'image/webp',
  'image/avif',
  'image/gif',
];
const SOUNDS = ['audio/mpeg', 'audio/mp3', 'audio/wav', 'audio/wave', 'audio/x-wav'];

test('an upload ticket for each content type has its headers, size limit and expiry times', async ({ customer }) => {
  for (const type of [...TYPES, ...SOUNDS]) {
    const before = Date.now();
    const ticket = await openTicket(customer, type);
    expect(ticket).toMatchObject({ method: 'PUT', content_type: type, max_bytes: 104_857_600 });
    expect(ticket.headers).toEqual({ 'Content-Type': type, 'x-pomona-content-length-range': '0,104857600' });
    const minutes = (Date.parse(ticket.upload_url_expires_at) - before) / 60_000;
    expect(minutes).toBeGreaterThan(14.9);
    expect(minutes).toBeLessThan(15.1);
    expect((Date.parse(ticket.url_expires_at) - before) / 86_400_000).toBeCloseTo(30, 2);
    expect((await fetch(ticket.url)).status).toBe(404);
  }
});

test('400 invalid_request: an unsupported content type; the message lists the supported ones', async ({ customer }) => {
  for (const data of [{}, [], 'text', { content_type: null }, { content_type: 'image/svg+xml' }, { content_type: 5 }]) {
    const error = await refusal(await customer.api.post('/v1/uploads', { data }), 400, 'invalid_request');
    const named = typeof data === 'object' && !Array.isArray(data);
    if (named) for (const type of [...TYPES, ...SOUNDS]) expect(error.message).toContain(type);
  }
});

test('400: an uploaded file that is missing from the store', async ({ customer }) => {
  const { url } = await upload(customer, png, 'image/png');
  await rm(join(String(process.env.E2E_DATA_DIR), new URL(url).pathname));
  for (const [path, data, code] of [
    ['/v1/mango/generate', { prompt: 'a plum', image: url }, 'invalid_config'],
    ['/v1/characters', { name: 'Plum', image: url }, 'invalid_request'],
  ] as const) {
    const error = await refusal(await customer.api.post(path, { data }), 400, code);
    expect(error.issues).toMatchObject([
      { path: '/image', message: expect.stringContaining('No file of this account') },
    ]);
  }
});

test('400 invalid_request: a file name that is empty, too long, of several lines, or not text', async ({
  customer,
}) => {
  for (const file_name of ['', ' ', 'a'.repeat(256), 'a\nb', 5, ['a']]) {
    const data = { content_type: 'image/png', file_name };
    const error = await refusal(await customer.api.post('/v1/uploads', { data }), 400, 'invalid_request');
    expect(error.issues).toMatchObject([{ path: '/file_name' }]);
  }
});

test('a file that is not an image, video or audio is refused when it is uploaded', async ({ customer }) => {
  const ticket = await openTicket(customer, 'image/png');
  for (const bytes of [Buffer.alloc(0), Buffer.from('<html>'), randomBytes(100_000)]) {
    const answer = await put(ticket, bytes);
    const { error } = await answer.json();
    expect([answer.status, error.code]).toEqual([400, 'invalid_request']);
    expect(error.issues).toEqual([{ path: '', message: error.message }]);
  }
  expect((await put(ticket, png)).status).toBe(200);
});

test('uploads are listed newest first, and can be deleted only by their own account', async ({ customer, house }) => {
  const older = await upload(customer, png, 'image/png');
  const newer = await openTicket(customer, 'image/png', 'Ferien am Öresund.png');
  const { data, next_cursor }: ListWire<UploadWire> = await (await customer.api.get('/v1/uploads')).json();
  expect(data).toMatchObject([
    { id: expect.any(String), status: 'pending', url: newer.url, bytes: null, file_name: 'Ferien am Öresund.png' },
    { id: expect.any(String), status: 'ready', url: older.url, bytes: png.length, file_name: null },
  ]);
  expect(next_cursor).toBeNull();
  const stranger = await house.open();
  const id = data[1]!.id;
  for (const other of [id, randomUUID(), 'no-id'])
    await refusal(await stranger.api.delete(`/v1/uploads/${other}`), 404, 'upload_not_found');
  expect((await customer.api.delete(`/v1/uploads/${id}`)).status()).toBe(204);
  await refusal(await customer.api.delete(`/v1/uploads/${id}`), 404, 'upload_not_found');
  expect((await fetch(older.url)).status).toBe(410);
});

test('400: a media URL of more than 8,192 characters, in every field that takes a file', async ({ customer }) => {
  const address = 'https://nobody.invalid/'.padEnd(100_000, 'x');
  for (const [path, data, code, pointer] of [
    ['/v1/guava/generate', { prompt: 'x', image: address }, 'invalid_config', '/image'],
    ['/v1/guava/generate', { prompt: 'x', additional_images: [address] }, 'invalid_config', '/additional_images/0'],
    ['/v1/lemon/generate', { prompt: 'x', videos: [address] }, 'invalid_config', '/videos/0'],
    ['/v1/recipes/relight', { picture: address }, 'invalid_config', '/picture'],
    ['/v1/characters', { name: 'Plum', image: address }, 'invalid_request', '/image'],
    ['/v1/characters', { name: 'Plum', image: dataUrl(png), voice: address }, 'invalid_request', '/voice'],
    ['/v1/references', { name: 'Plum', kind: 'audio', audio: address }, 'invalid_request', '/audio'],
  ] as const) {
    const error = await refusal(await customer.api.post(path, { data }), 400, code);
    expect(error.issues, path).toEqual([
      { path: pointer, message: expect.stringContaining('at most 8192 characters') },
    ]);
  }
  const estimate = await customer.api.post('/v1/guava/estimate', { data: { prompt: 'x', image: address } });
  expect((await estimate.json()).issues).toMatchObject([{ path: '/image' }]);
  const data = { model: 'guava', prompt: 'x', image: address };
  const edit = await customer.api.post('/openai/v1/images/edits', { data });
  expect([edit.status(), (await edit.json()).error.param]).toEqual([400, 'image']);
  expect((await customer.list()).data).toEqual([]);
});

test('every image field of every architecture accepts an upload or a data URL and gives it the right role', async ({
  idle,
  customer,
}) => {
  test.setTimeout(120_000);
  const catalog = await (await customer.api.get('/v1/architectures')).json();
  const owner = await idle.open({ gems: 1_000_000 });
  const { url } = await upload(owner, png, 'image/png');
  const seen: string[] = [];
  for (const { id, input_schema, image_inputs } of catalog.architectures as CatalogEntry[]) {
    const fields = Object.entries(input_schema.properties).filter(([, field]) => field['x-media'] === 'image');
    for (const [field, { type }] of fields) {
      const values = type === 'array' ? [url, dataUrl(png)] : [url];
      const roles = {
        [String(image_inputs.first_frame)]: 'first_frame',
        [String(image_inputs.last_frame)]: 'last_frame',
      };
      const response = await owner.post({
        architecture: id,
        body: { prompt: 'x', [field]: type === 'array' ? values : url },
      });
      // the architecture is retired in this deployment
      if (response.status() === 410) continue;
      expect(response.status(), `${id} ${field}: ${await response.text()}`).toBe(202);
      const { request_id } = await response.json();
      const { inputs, config } = await owner.detail(request_id);
      expect(inputs.map(({ role }) => role)).toEqual(values.map(() => roles[field] ?? 'reference'));
      expect(inputs[0]).toMatchObject({ url, content_type: 'image/png' });
      expect(JSON.stringify(config)).not.toContain('data:');
      await owner.cancel(request_id);
      seen.push(`${id}.${field}`);
    }
  }
  expect(seen.length).toBeGreaterThan(15);
});

test('the URL scheme in a media field is case-insensitive', async ({ customer }) => {
  const { url } = await upload(customer, png, 'image/png');
  const shouted = (address: string) => address.replace(/^[^:]+/, scheme => scheme.toUpperCase());
  for (const image of [shouted(url), shouted(dataUrl(png))]) {
    const { request_id } = await customer.submit({ architecture: 'mango', body: { prompt: 'a pear', image } });
    expect((await customer.detail(request_id)).inputs).toMatchObject([{ content_type: 'image/png' }]);
    await customer.cancel(request_id);
  }
});

test('a data URL is decoded as fetch decodes it, and invalid base64 is refused', async ({ customer }) => {
  const submit = (data: string) =>
    customer.post({ architecture: 'mango', body: { prompt: 'a pear', image: `data:image/png;base64,${data}` } });
  const bare = png.toString('base64').replace(/=+$/, '');
  for (const data of [bare, encodeURIComponent(bare), bare.replace(/.{76}/g, '$&\n')]) {
    const response = await submit(data);
    expect(response.status(), await response.text()).toBe(202);
    await customer.cancel((await response.json()).request_id);
  }
  for (const data of [`${bare}===`, `${bare}%zz`, `-_${bare}`, `${bare}\u00e9`])
    expect((await refusal(await submit(data), 400, 'invalid_config')).issues).toMatchObject([{ path: '/image' }]);
});

test('a file of the wrong type is reported together with other issues, also by an estimate', async ({ customer }) => {
  const { result } = await customer.generate({ architecture: 'z_image', body: { prompt: 'a pear' } });
  const body = { prompt: 'x', resolution: '9p', first_image: dataUrl(wav), videos: [result.url] };
  const paths = ['/resolution', '/first_image', '/videos/0'];
  const error = await refusal(await customer.post({ architecture: 'lemon', body }), 400, 'invalid_config');
  expect(error.issues?.map(({ path }) => path)).toEqual(paths);
  const estimate = await customer.api.post('/v1/lemon/estimate', { data: body });
  const { issues } = (await estimate.json()) as EstimateWire;
  expect(issues.map(({ path }) => path)).toEqual(paths);
});

test('an earlier result can be used as an input, but only by its own account', async ({ customer, house }) => {
  const body = { prompt: 'a pear', resolution: '1k' };
  const { result } = await customer.generate({ architecture: 'z_image', body });
  const again = await customer.generate({ architecture: 'mango', body: { prompt: 'as @image1', image: result.url } });
  const { inputs } = await customer.detail(again.request_id);
  expect(inputs).toMatchObject([{ role: 'reference', url: result.url, content_type: 'image/png' }]);
  // the new file contains its prompt, but not the URL of its input
  const file = Buffer.from(await (await fetch(again.result.url)).arrayBuffer());
  expect(file.includes('as @image1')).toBe(true);
  expect(file.includes(new URL(result.url).pathname)).toBe(false);
  const stranger = await house.open();
  const response = await stranger.post({ architecture: 'mango', body: { prompt: 'x', image: result.url } });
  expect((await refusal(response, 400, 'invalid_config')).issues).toMatchObject([{ path: '/image' }]);
});

test('a downloaded result can be uploaded again, even if its prompt contains HTML', async ({ customer }) => {
  const prompt = 'a page, <html>';
  for (const [architecture, type] of [
    ['z_image', 'image/png'],
    ['seed_audio', 'audio/mpeg'],
  ] as const) {
    const { result } = await customer.generate({ architecture, body: { prompt } });
    const bytes = Buffer.from(await (await fetch(result.url)).arrayBuffer());
    expect(bytes.toString('latin1')).toContain(prompt);
    const { url } = await upload(customer, bytes, type);
    if (type === 'image/png') await customer.submit({ architecture: 'mango', body: { prompt: 'again', image: url } });
  }
});

test('400 invalid_config: each unusable file is named by its JSON pointer, and nothing is charged', async ({
  customer,
  house,
}) => {
  const pending = await openTicket(customer, 'image/png');
  const sound = await upload(customer, wav, 'audio/wav');
  const disguised = await upload(customer, wav, 'image/png');
  const foreign = await upload(await house.open(), png, 'image/png');
  const additional_images = [
    pending.url,
    sound.url,
    disguised.url,
    foreign.url,
    'data:image/png;base64,AAAA',
    'https://10.0.0.1/a.png',
    'https://[::1]/a.png',
    'http://example.com/a.png',
    dataUrl(png),
  ];
  const body = { prompt: 'x', image: 'https://169.254.169.254/latest', additional_images };
  const pathsOf = async (body: object) => {
    const error = await refusal(await customer.post({ architecture: 'mango', body }), 400, 'invalid_config');
    return error.issues?.map(({ path }) => path);
  };
  const bad = additional_images.slice(0, -1).map((_, index) => `/additional_images/${index}`);
  // when there are issues, no file is opened, so the content of uploads is not checked
  const unopened = bad.filter((_, index) => ![sound.url, disguised.url].includes(additional_images[index]!));
  expect(await pathsOf(body)).toEqual(['/image', ...unopened]);
  const more = { ...body, additional_images: [...additional_images, 'pear.png'] };
  expect(await pathsOf(more)).toEqual(['/additional_images/9', '/image', ...unopened]);
  const opened = { prompt: 'x', image: sound.url, additional_images: [dataUrl(png), disguised.url] };
  expect(await pathsOf(opened)).toEqual(['/image', '/additional_images/1']);
  expect(await customer.balance()).toBe(10_000);
});

test('a replay does not check or fetch the media of the retry', async ({ customer }) => {
  const headers = { 'idempotency-key': randomUUID() };
  const first = await customer.submit({ headers });
  const body = { prompt: 'x', image: 'https://10.0.0.1/a.png' };
  const second = await customer.post({ architecture: 'mango', body, headers });
  expect(second.status()).toBe(200);
  expect((await second.json()).request_id).toBe(first.request_id);
});

test('voices of mentioned characters become inputs unless use_character_voices is false', async ({
  customer,
  idle,
}) => {
  const owner = await idle.open();
  const handle = `h${randomBytes(6).toString('hex')}`;
  const data = { name: 'Ana', handle, image: dataUrl(png), voice: dataUrl(wav) };
  const character = await (await owner.api.post('/v1/characters', { data })).json();
  const rolesWith = async (more: object) => {
    const body = { prompt: `@${handle} speaks`, ...more };
    const { request_id } = await owner.submit({ architecture: 'cherry', body });
    return (await owner.detail(request_id)).inputs.map(({ role, url }) => [role, url]);
  };
  const image = ['reference', character.image_url];
  expect(await rolesWith({})).toEqual([image, ['voice', character.voice_url]]);
  expect(await rolesWith({ use_character_voices: false })).toEqual([image]);
  const refused = await customer.post({ architecture: 'cherry', body: { prompt: `@${handle}` } });
  await refusal(refused, 400, 'invalid_config');
});
