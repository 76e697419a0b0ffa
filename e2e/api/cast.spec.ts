import { randomBytes, randomUUID } from 'node:crypto';
import sharp from 'sharp';
import type { CharacterWire, ReferenceWire, UploadTicketWire } from '#lib/contract/cast-schemas';
import type { ListWire } from '#lib/contract/schemas';
import { dataUrl, makeWav } from '#lib/media/media-test-files';
import { refusal, type Customer } from '../customer.ts';
import { expect, test } from '../fixtures.ts';
import { openMember } from '../member.ts';

// characters and references, from the uploaded portrait to the image that shows it

const MAGENTA = { r: 230, g: 20, b: 150 };
const solid = (background: typeof MAGENTA) => sharp({ create: { width: 300, height: 400, channels: 3, background } });
const portrait = dataUrl(await solid(MAGENTA).png().toBuffer());
const picture = dataUrl(await solid({ r: 20, g: 90, b: 200 }).jpeg().toBuffer());
const sound = dataUrl(makeWav(2));
/** Returns a unique handle: handles are unique in a deployment, which the tests share. */
const newHandle = () => `h${randomBytes(6).toString('hex')}`;

async function upload(customer: Customer, bytes: Buffer, contentType: string): Promise<string> {
  const response = await customer.api.post('/v1/uploads', { data: { content_type: contentType } });
  const ticket: UploadTicketWire = await response.json();
  const { headers } = ticket;
  const put = await fetch(ticket.upload_url, { method: ticket.method, headers, body: new Uint8Array(bytes) });
  expect(put.ok).toBe(true);
  return ticket.url;
}

async function create<T = CharacterWire>(customer: Customer, path: string, data: object): Promise<T> {
  const response = await customer.api.post(path, { data });
  expect(response.status(), await response.text()).toBe(201);
  return response.json();
}

const saveCharacter = (customer: Customer, handle = newHandle()) =>
  create(customer, '/v1/characters', { name: 'Ana', handle, image: portrait });

const saveReference = (customer: Customer, handle = newHandle()) =>
  create<ReferenceWire>(customer, '/v1/references', { name: 'Harbour', handle, kind: 'location', image: picture });

/** Returns the share of pixels close to the portrait's colour. */
async function shareOfMagenta(url: string): Promise<number> {
  const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
  const { data } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  let close = 0;
  for (let i = 0; i < data.length; i += 3)
    if (data[i]! > 160 && data[i + 1]! < 70 && data[i + 2]! > 90 && data[i + 2]! < 190) close++;
  return close / (data.length / 3);
}

/** Members that change once the renditions have been made. */
const COMING = new Set(['preview_url', 'renditions', 'picture', 'pictures']);
/** Removes the members of `COMING` at any depth. */
const lasting = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value, (name, member) => (COMING.has(name) ? undefined : member))) as T;

test('a character made from an uploaded portrait appears in a generated image', async ({ customer }) => {
  const ana = newHandle();
  const harbour = newHandle();
  const image = await upload(customer, await solid(MAGENTA).jpeg().toBuffer(), 'image/jpeg');
  const voice = await upload(customer, makeWav(12), 'audio/wav');
  const character = await create(customer, '/v1/characters', { name: 'Ana', handle: ana, image, voice });
  const place = await saveReference(customer, harbour);

  const body = { prompt: `@${ana} walks through @${harbour}`, resolution: '1K', seed: 7 };
  const { request_id, result } = await customer.generate({ architecture: 'mango', body });
  const { inputs, mentions } = await customer.detail(request_id);
  expect(lasting(inputs)).toEqual([
    { role: 'reference', url: character.image_url, content_type: 'image/jpeg', handle: ana },
    { role: 'reference', url: place.image_url, content_type: 'image/jpeg', handle: harbour },
  ]);
  expect(mentions).toEqual([
    { handle: ana, id: character.id, kind: 'character' },
    { handle: harbour, id: place.id, kind: 'location' },
  ]);
  expect(await shareOfMagenta(result.url)).toBeGreaterThan(0.03);
  const plain = await customer.generate({ architecture: 'mango', body: { ...body, prompt: 'walks through' } });
  expect(await shareOfMagenta(plain.result.url)).toBeLessThan(0.01);
});

test('a new character is private, and create, get and list return the same object', async ({ customer }) => {
  const character = await create(customer, '/v1/characters', {
    name: ' Ana Ray ',
    description: 'wears a hat',
    image: portrait,
    voice: sound,
    shoe_size: 38,
  });
  expect(character).toMatchObject({ name: 'Ana Ray', description: 'wears a hat', visibility: 'private' });
  expect(character.handle).toMatch(/^ana-ray-[a-z0-9]{3}$/);
  expect(lasting(await (await customer.api.get(`/v1/characters/${character.id}`)).json())).toEqual(lasting(character));
  expect(lasting(await (await customer.api.get('/v1/characters')).json())).toEqual({
    data: [lasting(character)],
    next_cursor: null,
  });
  expect((await fetch(character.image_url)).headers.get('content-type')).toBe('image/png');
  expect((await fetch(String(character.voice_url))).headers.get('content-type')).toBe('audio/mpeg');

  const tune = await create<ReferenceWire>(customer, '/v1/references', { name: 'Tune', kind: 'audio', audio: sound });
  expect(tune).toMatchObject({ kind: 'audio', image_url: null, description: null });
  expect(await (await customer.api.get(`/v1/references/${tune.id}`)).json()).toEqual(tune);
});

const REFUSED: [path: string, body: unknown, pointers: string[]][] = [
  ['/v1/characters', [], ['']],
  ['/v1/characters', {}, ['/name', '/image']],
  ['/v1/characters', { name: '', image: portrait }, ['/name']],
  ['/v1/characters', { name: '   ', image: portrait }, ['/name']],
  ['/v1/characters', { name: 'x'.repeat(51), image: portrait }, ['/name']],
  ['/v1/characters', { name: 5, image: portrait }, ['/name']],
  ['/v1/characters', { name: 'x', image: portrait, description: 'x'.repeat(501) }, ['/description']],
  ['/v1/characters', { name: 'x', image: portrait, handle: 'Ana' }, ['/handle']],
  ['/v1/characters', { name: 'x', image: portrait, handle: '1a' }, ['/handle']],
  ['/v1/characters', { name: 'x', image: portrait, handle: 'a'.repeat(16) }, ['/handle']],
  ['/v1/characters', { name: 'x', image: portrait, handle: 'image3' }, ['/handle']],
  ['/v1/characters', { name: 'x', image: 'ftp://example.com/a.png' }, ['/image']],
  ['/v1/characters', { name: 'x', image: 'data:image/png;base64,AAAA' }, ['/image']],
  ['/v1/characters', { name: 'x', image: sound }, ['/image']],
  ['/v1/characters', { name: 'x', image: sound, voice: portrait }, ['/image', '/voice']],
  ['/v1/references', { name: 'x' }, ['/kind']],
  ['/v1/references', { name: 'x', kind: 'person', image: portrait }, ['/kind']],
  ['/v1/references', { name: 'x', kind: 'pose' }, ['/image']],
  ['/v1/references', { name: 'x', kind: 'audio' }, ['/audio']],
  ['/v1/references', { name: 'x', kind: 'audio', audio: sound, image: portrait }, ['/image']],
  ['/v1/references', { name: '', kind: 'pose', handle: '-' }, ['/name', '/handle', '/image']],
];

test('400 invalid_request: every problem of a body is named, and nothing is created', async ({ customer }) => {
  for (const [path, data, pointers] of REFUSED) {
    const error = await refusal(await customer.api.post(path, { data }), 400, 'invalid_request');
    expect(error.issues?.map(issue => issue.path).toSorted()).toEqual(pointers.toSorted());
  }
  for (const path of ['/v1/characters', '/v1/references'])
    expect(await (await customer.api.get(path)).json()).toEqual({ data: [], next_cursor: null });
});

test('400 invalid_request: a name without a visible character', async ({ customer }) => {
  for (const name of [' ', ' \n\t', '\u200b', '\u00ad \u2060', '\u3164']) {
    const data = { name, image: portrait };
    const error = await refusal(await customer.api.post('/v1/characters', { data }), 400, 'invalid_request');
    const rule = 'text of 1 to 50 characters, one of them visible';
    expect(error.message).toBe(`name must be ${rule}; it is ${JSON.stringify(name)}.`);
  }
});

test('names and descriptions of the maximum length, counted in characters, are accepted', async ({ customer }) => {
  const texts = { name: '🎭'.repeat(50), description: '🎭'.repeat(500) };
  const character = await create(customer, '/v1/characters', { ...texts, image: portrait });
  expect(character).toMatchObject(texts);
});

test('409 handle_taken: a handle that another account uses, until its character is deleted', async ({
  customer,
  house,
}) => {
  const handle = newHandle();
  const { id } = await saveCharacter(customer, handle);
  const stranger = await house.open();
  for (const path of ['/v1/characters', '/v1/references']) {
    const data = { name: 'x', kind: 'pose', handle, image: portrait };
    const error = await refusal(await stranger.api.post(path, { data }), 409, 'handle_taken');
    expect(error).toMatchObject({ handle });
  }
  expect((await customer.api.delete(`/v1/characters/${id}`)).status()).toBe(204);
  await saveReference(stranger, handle);
});

test('one of twenty concurrent creates with the same handle gets 201, the others get 409', async ({ customer }) => {
  const handle = newHandle();
  const data = { name: 'x', handle, image: portrait };
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => customer.api.post('/v1/characters', { data, timeout: 60_000 })),
  );
  expect(answers.map(answer => answer.status()).toSorted()).toEqual([201, ...Array(19).fill(409)]);
  const { data: all }: ListWire<CharacterWire> = await (await customer.api.get('/v1/characters')).json();
  expect(all).toHaveLength(1);
});

test('403 forbidden: creating characters and references is switched off for the account', async ({
  customer,
  house,
}) => {
  await house.pool.query('update accounts set may_create_cast = false where id = $1', [customer.accountId]);
  for (const path of ['/v1/characters', '/v1/references']) {
    const data = { name: 'x', kind: 'pose', image: portrait };
    await refusal(await customer.api.post(path, { data }), 403, 'forbidden');
    await refusal(await customer.api.patch(`${path}/${randomUUID()}`, { data: {} }), 403, 'forbidden');
    expect((await customer.api.get(path)).status()).toBe(200);
  }
});

test('404: a character or reference that is deleted, unknown, of another account, or has no valid id', async ({
  customer,
  house,
}) => {
  const character = await saveCharacter(customer);
  const place = await saveReference(customer);
  const stranger = await house.open();
  for (const [kind, { id }] of [
    ['character', character],
    ['reference', place],
  ] as const) {
    const code = `${kind}_not_found`;
    for (const other of [id, randomUUID(), 'no-id', '%00', '%2e%2e%2frequests']) {
      await refusal(await stranger.api.get(`/v1/${kind}s/${other}`), 404, code);
      await refusal(await stranger.api.delete(`/v1/${kind}s/${other}`), 404, code);
      await refusal(await stranger.api.patch(`/v1/${kind}s/${other}`, { data: { name: 'x' } }), 404, code);
    }
    expect((await customer.api.delete(`/v1/${kind}s/${id}`)).status()).toBe(204);
    await refusal(await customer.api.delete(`/v1/${kind}s/${id}`), 404, code);
    await refusal(await customer.api.get(`/v1/${kind}s/${id}`), 404, code);
  }
  expect((await fetch(character.image_url)).status).toBe(410);
});

test('lists are paged newest first, and new items do not shift later pages', async ({ customer }) => {
  const handles = Array.from({ length: 4 }, newHandle);
  for (const handle of handles.slice(0, 3)) await saveCharacter(customer, handle);
  const page = async (query: string): Promise<ListWire<CharacterWire>> =>
    (await customer.api.get(`/v1/characters?${query}`)).json();
  const first = await page('limit=2');
  await saveCharacter(customer, handles[3]);
  const second = await page(`limit=2&cursor=${first.next_cursor}`);
  expect([...first.data, ...second.data].map(({ handle }) => handle)).toEqual(handles.slice(0, 3).toReversed());
  expect(second.next_cursor).toBeNull();
  for (const path of ['characters', 'references', 'uploads'])
    for (const query of ['limit=0', 'limit=201', 'limit=x', 'limit=1.5', 'cursor=x'])
      await refusal(await customer.api.get(`/v1/${path}?${query}`), 400, 'invalid_request');
});

test('a deleted handle is refused in prompts, while earlier requests keep their mention of it', async ({
  customer,
}) => {
  const handle = newHandle();
  const first = await saveCharacter(customer, handle);
  const submit = { architecture: 'mango', body: { prompt: `@${handle}`, resolution: '1K' } };
  const { request_id } = await customer.generate(submit);
  await customer.api.delete(`/v1/characters/${first.id}`);
  const error = await refusal(await customer.post(submit), 400, 'invalid_config');
  expect(error.issues).toEqual([{ path: '/prompt', message: expect.stringContaining(`@${handle}`) }]);
  const second = await saveReference(customer, handle);
  const estimate = await customer.api.post('/v1/mango/estimate', { data: submit.body });
  expect((await estimate.json()).mentions).toEqual([{ handle, id: second.id, kind: 'location' }]);
  const detail = await customer.detail(request_id);
  expect(detail).toMatchObject({ status: 'completed', mentions: [{ handle, id: first.id, kind: 'character' }] });
  expect((await fetch(String(detail.result?.url))).status).toBe(200);
});

test('a mention of a deleted handle does not fall back to a shorter handle that it begins with', async ({
  customer,
}) => {
  const handle = newHandle().slice(0, 10);
  await saveCharacter(customer, handle);
  const longer = await saveCharacter(customer, `${handle}-ink`);
  await customer.api.delete(`/v1/characters/${longer.id}`);
  const before = await customer.balance();
  const body = { prompt: `@${handle}-ink waves`, resolution: '1K' };
  const error = await refusal(await customer.post({ architecture: 'mango', body }), 400, 'invalid_config');
  expect(error.issues).toEqual([{ path: '/prompt', message: expect.stringContaining(`@${handle}-ink is neither`) }]);
  expect(await customer.balance()).toBe(before);
});

test('a request completes even if its character is deleted immediately after submission', async ({ customer }) => {
  const handle = newHandle();
  const { id } = await saveCharacter(customer, handle);
  const body = { prompt: `@${handle}`, resolution: '1K' };
  const request = await customer.submit({ architecture: 'mango', body });
  expect((await customer.api.delete(`/v1/characters/${id}`)).status()).toBe(204);
  expect(await customer.finish(request)).toMatchObject({ status: 'completed' });
});

test('changing the images of a character affects later requests, but not a running one', async ({ customer }) => {
  const ana = newHandle();
  const save = { name: 'Ana', handle: ana, image: portrait, additional_images: [picture], voice: sound };
  const before = await create(customer, '/v1/characters', save);
  expect(before.additional_image_urls).toEqual([expect.stringMatching(/\.(png|jpg)$/)]);
  const submit = { architecture: 'mango', body: { prompt: `@${ana}`, resolution: '1K' } };
  const running = await customer.submit(submit);
  const data = { name: 'Ana Ray', image: before.additional_image_urls[0], additional_images: [], voice: null };
  const changed = await customer.api.patch(`/v1/characters/${before.id}`, { data });
  expect(changed.status(), await changed.text()).toBe(200);
  const after: CharacterWire = await changed.json();
  const [image_url] = before.additional_image_urls;
  expect(lasting(after)).toEqual({
    ...lasting(before),
    name: 'Ana Ray',
    image_url,
    additional_image_urls: [],
    voice_url: null,
  });
  expect(lasting(await (await customer.api.get(`/v1/characters/${before.id}`)).json())).toEqual(lasting(after));

  const given = async (id: string) => (await customer.detail(id)).inputs.map(({ url }) => url);
  expect(await customer.finish(running)).toMatchObject({ status: 'completed' });
  expect(await given(running.request_id)).toEqual([before.image_url, image_url]);
  expect((await fetch(before.image_url)).status).toBe(200);
  expect(await given((await customer.generate(submit)).request_id)).toEqual([image_url]);
});

test('400 invalid_request: invalid members of a change are named by their paths', async ({ customer }) => {
  const { id } = await saveCharacter(customer);
  const place = await saveReference(customer);
  const refused: [path: string, body: object, pointers: string[]][] = [
    [`/v1/characters/${id}`, { handle: 'other', name: '' }, ['/handle', '/name']],
    [`/v1/characters/${id}`, { image: null }, ['/image']],
    [`/v1/characters/${id}`, { image: sound, additional_images: [picture, 'x'] }, ['/image', '/additional_images/1']],
    [`/v1/characters/${id}`, { additional_images: Array(8).fill(picture) }, ['/additional_images']],
    [`/v1/references/${place.id}`, { audio: sound }, ['/audio']],
    [`/v1/references/${place.id}`, { handle: 'other', kind: 'pose' }, ['/handle', '/kind']],
    [`/v1/references/${place.id}`, { image: portrait, description: 'x'.repeat(501) }, ['/description']],
  ];
  for (const [path, data, pointers] of refused) {
    const { issues } = await refusal(await customer.api.patch(path, { data }), 400, 'invalid_request');
    expect(issues?.map(issue => issue.path).toSorted()).toEqual(pointers.toSorted());
  }
  expect(lasting(await (await customer.api.get(`/v1/references/${place.id}`)).json())).toEqual(lasting(place));
});

test('a published character can be mentioned by other accounts, but not read or listed by them', async ({ house }) => {
  const { page, customer } = await openMember(house);
  const { page: strange, customer: stranger } = await openMember(house);
  const { id, handle } = await saveCharacter(customer);
  const mention = async () => {
    const data = { prompt: `@${handle}` };
    return (await (await stranger.api.post('/v1/mango/estimate', { data })).json()).mentions;
  };
  expect(await mention()).toEqual([]);
  const act = `/api/characters/${id}/publish`;
  await refusal(await strange.post(act), 404, 'character_not_found');
  await refusal(await customer.api.post(act), 401, 'unauthorized');
  expect(await (await page.post(act)).json()).toMatchObject({ id, visibility: 'public' });
  expect(await mention()).toEqual([{ handle, id, kind: 'character' }]);
  expect(await (await stranger.api.get('/v1/characters')).json()).toEqual({ data: [], next_cursor: null });
  await refusal(await stranger.api.get(`/v1/characters/${id}`), 404, 'character_not_found');
  const setDisabled = (at: string) =>
    house.pool.query(`update accounts set disabled_at = ${at} where id = $1`, [customer.accountId]);
  await setDisabled('now()');
  expect(await mention()).toEqual([]);
  await setDisabled('null');
  expect(await mention()).toHaveLength(1);
  expect(await (await page.delete(act)).json()).toMatchObject({ id, visibility: 'private' });
  expect(await mention()).toEqual([]);
});
