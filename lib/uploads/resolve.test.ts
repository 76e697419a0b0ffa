import { mkdtempSync, readdirSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { db, pool } from '#lib/db/client';
import { commitLate } from '#lib/db/late-test-commit';
import { accounts, media } from '#lib/db/schema';
import { useOwnDatabase } from '#lib/db/test-database';
import { env } from '#lib/env';
import { newId } from '#lib/ids';
import { makeInterlacedPng, makeMovingPng } from '#lib/media/hostile-test-media';
import { makeAv, makeImage, makeWav } from '#lib/media/media-test-files';
import { makeCertificate } from '#lib/media/test-certificate';
import { temporaryFolder } from '#lib/process/temporary-folder';
import { newMediaKey } from '#lib/storage/media-key';
import { storage } from '#lib/storage/store';
import { completeUpload } from '#lib/uploads/complete-upload';
import { checkMediaValue } from '#lib/uploads/check-media-value';
import { discardInputs } from '#lib/uploads/discard-inputs';
import { fetchMediaInput, type FetchOptions } from '#lib/uploads/fetch-media-input';
import { measureSourceVideo } from '#lib/uploads/measure-source-video';
import { resolveMediaInput } from '#lib/uploads/resolve';
import { keyOfUrl } from '#lib/uploads/key-of-url';
import { createUploadTicket } from '#lib/uploads/upload-ticket';
import type { DeclaredType } from '#lib/contract/upload-types';
import { expiryOf } from '#lib/media/lifetime';
import { deleteUpload } from '#lib/uploads/uploads';

await useOwnDatabase();
process.env.DATA_DIR = mkdtempSync(join(tmpdir(), 'pomona-resolve-'));
process.env.LOG_LEVEL = 'silent';
process.env.BASE_URL = 'http://pomona.test:3000';

const png = await makeImage(40, 30).png().toBuffer();
const photo = await makeImage(40, 30)
  .withExif({ IFD0: { Artist: 'Somebody' } })
  .jpeg()
  .toBuffer();
const jpeg = await makeImage(40, 30).jpeg().toBuffer();
const mp4 = await makeAv('mp4');
const wav = makeWav(1);

const certificate = makeCertificate(['public.test']);
let asked = 0;
/** Number of requests that are never answered. */
let held = 0;
const server = createServer(certificate, (request, answer) => {
  asked++;
  if (request.url === '/stuck') {
    held++;
    return void request.socket.once('close', () => held--);
  }
  if (request.url === '/a.mp4') answer.end(mp4);
  else if (request.url === '/a.png') answer.setHeader('content-type', 'text/html').end(png);
  else if (request.url === '/page') answer.setHeader('content-type', 'image/png').end('<html></html>');
  else answer.writeHead(404).end();
}).listen(0, '127.0.0.1');
await new Promise(listening => server.once('listening', listening));
afterAll(() => server.close());
const site = `https://public.test:${(server.address() as AddressInfo).port}`;
const network: FetchOptions['network'] = {
  resolve: async () => ['127.0.0.1'],
  isAllowed: address => address === '127.0.0.1',
  ca: certificate.cert,
};

let accountId: string;
beforeEach(async () => {
  accountId = await openAccount();
});

async function openAccount(): Promise<string> {
  const id = newId();
  await db()
    .insert(accounts)
    .values({ id, email: `${id}@example.com` });
  return id;
}

const image = (value: unknown, account = accountId) =>
  resolveMediaInput(account, value, 'image', { path: '/image', network });
const dataUrl = (bytes: Uint8Array) => `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`;
const stored = async () =>
  (await db().select({ id: media.id }).from(media).where(eq(media.accountId, accountId))).length;
const rowOf = async (id: string) => (await db().select().from(media).where(eq(media.id, id)))[0]!;
const refusal = (text: string) => ({
  code: 'invalid_config',
  message: expect.stringContaining(text),
  extra: { issues: [{ path: '/image', message: expect.stringContaining(text) }] },
});

async function upload(type: DeclaredType, bytes: Uint8Array) {
  const ticket = await createUploadTicket(accountId, type);
  const key = keyOfUrl(ticket.url)!;
  const stored = await storage().put(key, bytes, (await import('#lib/storage/media-types')).typeOfKey(key)!);
  await completeUpload(key, stored);
  return ticket;
}

async function result(row: Partial<typeof media.$inferInsert> = {}) {
  const key = newMediaKey('result', 'image/png');
  await storage().put(key, png, 'image/png');
  const fields = {
    id: newId(),
    accountId,
    kind: 'result',
    key,
    contentType: 'image/png',
    bytes: png.length,
    expiresAt: expiryOf(new Date()),
  } as const;
  await db()
    .insert(media)
    .values({ ...fields, ...row });
  return { id: fields.id, url: storage().url(key) };
}

test('only a URL with the origin of this deployment names one of its files', () => {
  const key = newMediaKey('upload', 'image/png');
  expect(keyOfUrl(`http://pomona.test:3000/media/${key}`)).toBe(key);
  for (const origin of ['https://pomona.test:3000', 'http://pomona.test', 'https://elsewhere.test'])
    expect(keyOfUrl(`${origin}/media/${key}`)).toBeNull();
});

test('an https URL is fetched, typed by its bytes, and stored', async () => {
  const input = await image(`${site}/a.png`);
  expect(input).toMatchObject({ contentType: 'image/png', width: 40, height: 30, duration: null, bytes: png.length });
  expect(input.key).toMatch(/^input\/[0-9a-f]{32}\.png$/);
  expect(png.equals(await buffer(await storage().get(input.key)))).toBe(true);
  const row = await rowOf(input.mediaId);
  expect(row).toMatchObject({ accountId, kind: 'input', deletedAt: null });
  expect(row.expiresAt!.getTime()).toBeGreaterThan(Date.now() + 29.9 * 86_400_000);
});

test('the same bytes are stored once per account, whether they come from a URL or as data', async () => {
  const [a, b, c] = [await image(`${site}/a.png`), await image(dataUrl(png)), await image(dataUrl(png))];
  expect(new Set([a.mediaId, b.mediaId, c.mediaId]).size).toBe(1);
  const other = await image(dataUrl(png), await openAccount());
  expect(other.mediaId).not.toBe(a.mediaId);
});

test('bytes that exist as an upload become an input of their own when they are sent as data', async () => {
  const bytes = await makeImage(41, 31).png().toBuffer();
  const uploaded = await image((await upload('image/png', bytes)).url);
  const { mediaId } = await image(dataUrl(bytes));
  expect(mediaId).not.toBe(uploaded.mediaId);
  expect(await rowOf(mediaId)).toMatchObject({ kind: 'input', sha256: uploaded.sha256 });
});

test('concurrent inputs of the same bytes are stored once and leave no extra file', async () => {
  const before = readdirSync(join(process.env.DATA_DIR!, 'media/input')).length;
  const inputs = await Promise.all(Array.from({ length: 8 }, () => image(dataUrl(png))));
  expect(new Set(inputs.map(input => input.mediaId)).size).toBe(1);
  expect(readdirSync(join(process.env.DATA_DIR!, 'media/input'))).toHaveLength(before + 1);
});

test('a file that is used again expires 30 days after that use', async () => {
  const { mediaId } = await image(dataUrl(png));
  await db()
    .update(media)
    .set({ expiresAt: new Date(Date.now() + 1000) })
    .where(eq(media.id, mediaId));
  await image(dataUrl(png));
  expect((await rowOf(mediaId)).expiresAt!.getTime()).toBeGreaterThan(Date.now() + 29 * 86_400_000);
});

test('an input whose file was deleted is stored again', async () => {
  const first = await image(dataUrl(png));
  await db().update(media).set({ deletedAt: new Date() }).where(eq(media.id, first.mediaId));
  expect((await image(dataUrl(png))).mediaId).not.toBe(first.mediaId);
});

test('a failed database write leaves no file', async () => {
  const files = () => readdirSync(join(process.env.DATA_DIR!, 'media/input')).length;
  await image(dataUrl(png));
  const before = files();
  await expect(image(dataUrl(png), newId())).rejects.toThrow();
  expect(files()).toBe(before);
});

test('a file is kept when its row is committed after the query has timed out', async () => {
  const land = commitLate();
  await expect(image(dataUrl(png))).rejects.toThrow('Query read timeout');
  await land();
  const [row] = await db().select().from(media).where(eq(media.accountId, accountId));
  expect(await storage().head(row!.key)).not.toBeNull();
});

test('data URLs are accepted in base64 and percent-encoded', async () => {
  const escaped = [...png].map(byte => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const input = await image(`data:image/png,${escaped}`);
  expect(input).toMatchObject({ bytes: png.length, contentType: 'image/png' });
  expect((await image(` DATA:;BASE64,${png.toString('base64')}`)).mediaId).toBe(input.mediaId);
});

const base64 = png.toString('base64');
const bare = base64.replace(/=+$/, '');
test.each([
  ['without padding', bare],
  ['in lines', `${base64.replace(/.{76}/g, '$&\r\n')}\n`],
  ['with escapes', encodeURIComponent(base64)],
])('base64 %s is decoded as fetch decodes it', async (_, data) => {
  const url = `data:image/png;base64,${data}`;
  expect(png.equals(Buffer.from(await (await fetch(url)).arrayBuffer()))).toBe(true);
  expect(await image(url)).toMatchObject({ bytes: png.length, contentType: 'image/png' });
});

test.each([
  'data:',
  'data:,',
  'data:image/png;base64,',
  `data:image/png;base64,${bare.slice(0, bare.length - (bare.length % 4))}A`,
  `data:image/png;base64,${bare}===`,
  `data:image/png;base64,${bare}\u00a0`,
  `data:image/png;base64,${bare}%zz`,
  `data:image/png;base64,${base64.replaceAll('/', '_')}`,
  `data:image/png;base64,====`,
  'data:image/png,%zz',
  'data:image/png,%8',
  'data:image/png,\u00e9',
  `data:${'a'.repeat(300)},a`,
])('the data URL %.60s is refused', async value => {
  await expect(image(value)).rejects.toMatchObject(refusal('data URL'));
});

test.each([[undefined], [null], [1], [{}], [['a']], ['']])('%j is refused as media', async value => {
  await expect(image(value)).rejects.toMatchObject(refusal('must be an https URL'));
});

test('an upload is used in place and decoded only once', async () => {
  const ticket = await upload('image/png', png);
  const input = await image(ticket.url);
  expect(input).toMatchObject({ contentType: 'image/png', width: 40, height: 30 });
  expect(await rowOf(input.mediaId)).toMatchObject({ kind: 'upload', width: 40, height: 30, sha256: input.sha256 });
  const read = vi.spyOn(storage(), 'withFile');
  expect(await image(ticket.url)).toEqual(input);
  expect(read).not.toHaveBeenCalled();
  read.mockRestore();
});

test('the type of an upload comes from its bytes, not from its declared type', async () => {
  const ticket = await upload('video/mp4', png);
  const input = await image(ticket.url);
  expect(input).toMatchObject({ contentType: 'image/png', key: expect.stringMatching(/^input\/.*\.png$/) });
  await expect(resolveMediaInput(accountId, ticket.url, 'video', { path: '/image' })).rejects.toMatchObject(
    refusal('takes an MP4'),
  );
});

test('a photo is stored without its metadata', async () => {
  const ticket = await upload('image/jpeg', photo);
  const input = await image(ticket.url);
  expect(input.key).toMatch(/^input\//);
  const bytes = await buffer(await storage().get(input.key));
  expect(bytes.includes('Somebody')).toBe(false);
  expect((await image(dataUrl(photo))).mediaId).toBe(input.mediaId);
});

test('an animated PNG is reduced to its first frame', async () => {
  const next = await makeImage(40, 30).negate().png().toBuffer();
  const ticket = await upload('image/png', makeMovingPng(png, next));
  const input = await image(ticket.url);
  expect(input).toMatchObject({ contentType: 'image/png', width: 40, height: 30 });
  const bytes = await buffer(await storage().get(input.key));
  expect(bytes.includes('acTL')).toBe(false);
  expect(await sharp(bytes).raw().toBuffer()).toEqual(await sharp(png).raw().toBuffer());
});

test('a photo that was re-encoded at its first use is not decoded again', async () => {
  for (const [type, bytes] of [
    ['image/jpeg', photo],
    ['image/webp', await makeImage(40, 30).webp().toBuffer()],
  ] as const) {
    const ticket = await upload(type, bytes);
    const first = await image(ticket.url);
    const read = vi.spyOn(storage(), 'withFile');
    const again = await image(ticket.url);
    expect(again).toMatchObject({ mediaId: first.mediaId, isNew: false });
    expect(again.expiresAt! > first.expiresAt!).toBe(true);
    expect(read).not.toHaveBeenCalled();
    await expect(resolveMediaInput(accountId, ticket.url, 'video', { path: '/image' })).rejects.toThrow('takes an MP4');
    await db().update(media).set({ deletedAt: new Date() }).where(eq(media.id, first.mediaId));
    expect((await image(ticket.url)).mediaId).not.toBe(first.mediaId);
    read.mockRestore();
  }
});

test('a source video is measured without being stored, from data, an upload or a URL', async () => {
  const measure = (value: unknown) => measureSourceVideo(accountId, value, { path: '/video', network });
  const facts = { width: 64, height: 48, duration: expect.closeTo(1, 0) };
  const ticket = await upload('video/mp4', mp4);
  const before = await stored();
  expect(await measure(dataUrl(mp4))).toEqual(facts);
  expect(await measure(ticket.url)).toEqual(facts);
  expect(await measure(`${site}/a.mp4`)).toEqual(facts);
  expect(await stored()).toEqual(before);
  const input = await resolveMediaInput(accountId, ticket.url, 'video', { path: '/video' });
  const read = vi.spyOn(storage(), 'get');
  expect(await measure(ticket.url)).toEqual({ ...facts, duration: input.duration });
  expect(read).not.toHaveBeenCalled();
  read.mockRestore();
  for (const [value, reason] of [
    [dataUrl(png), 'The file is image/png; this field takes an MP4'],
    [dataUrl(wav), 'The file is audio/wav; this field takes an MP4'],
    [(await upload('video/mp4', png)).url, 'The file is image/png; this field takes an MP4'],
    [`${site}/missing`, 'answered 404'],
    ['http://public.test/', 'Only https addresses'],
    [7, 'must be an https URL'],
  ] as const)
    await expect(measure(value)).rejects.toMatchObject({
      code: 'invalid_config',
      extra: { issues: [{ path: '/video', message: expect.stringContaining(reason) }] },
    });
});

test('slow files delay only their own account, and are dropped when the client leaves', async () => {
  const leave = new AbortController();
  const slow = dataUrl(makeInterlacedPng(4000));
  let done = 0;
  const attack = Array.from({ length: 20 }, () =>
    resolveMediaInput(accountId, slow, 'image', { path: '/image', signal: leave.signal }).finally(() => done++),
  );
  const outcomes = Promise.allSettled(attack);
  const other = await openAccount();
  expect(await image(dataUrl(jpeg), other)).toMatchObject({ width: 40 });
  expect(done).toBeLessThan(20);
  leave.abort(new Error('gone'));
  const reasons = (await outcomes).flatMap(({ status, ...rest }) => (status === 'rejected' ? [rest] : []));
  expect(reasons.length).toBeGreaterThan(0);
  for (const reason of reasons) expect(reason).toMatchObject({ reason: { message: 'gone' } });
  expect(await image(dataUrl(jpeg))).toMatchObject({ width: 40 });
});

test('an account that sends too many files at the same time is asked to retry', async () => {
  const leave = new AbortController();
  const slow = dataUrl(makeInterlacedPng(3000));
  const { LIMIT_DECODES_PER_ACCOUNT, LIMIT_WAITING_PER_ACCOUNT } = env();
  const length = LIMIT_DECODES_PER_ACCOUNT + LIMIT_WAITING_PER_ACCOUNT + 5;
  const refusals: unknown[] = [];
  const sent = Array.from({ length }, () =>
    resolveMediaInput(accountId, slow, 'image', { path: '/image', signal: leave.signal }).catch((error: unknown) =>
      refusals.push(error),
    ),
  );
  const full = { code: 'too_many_requests', retryAfter: 5 };
  await expect.poll(() => refusals).toContainEqual(expect.objectContaining(full));
  leave.abort(new Error('gone'));
  await Promise.all(sent);
  // a worker, which is patient, waits instead
  const patient = { path: '/image', network, patient: true };
  expect(await fetchMediaInput(accountId, `${site}/a.png`, 'image', patient)).toMatchObject({ width: 40 });
});

test('an account fetches at most four files at a time, and does not block other accounts', async () => {
  const fetchFor = (account: string, path: string, signal?: AbortSignal) =>
    resolveMediaInput(account, `${site}${path}`, 'image', { path: '/image', network, signal });
  const leave = new AbortController();
  const stuck = Promise.allSettled(Array.from({ length: 10 }, () => fetchFor(accountId, '/stuck', leave.signal)));
  await expect.poll(() => held).toBe(4);
  expect(await fetchFor(await openAccount(), '/a.png')).toMatchObject({ width: 40 });
  expect(held).toBe(4);
  leave.abort(new Error('gone'));
  for (const outcome of await stuck) expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'gone' } });
  await expect.poll(() => held).toBe(0);
});

test('an earlier result is used in place', async () => {
  const { id, url } = await result();
  expect(await image(url)).toMatchObject({ mediaId: id, width: 40 });
});

test('a file is recognized under the media origin and under the main origin', async () => {
  const { MEDIA_URL } = env();
  onTestFinished(() => void (env().MEDIA_URL = MEDIA_URL));
  const { id, url } = await result();
  env().MEDIA_URL = 'https://media.test';
  const elsewhere = url.replace(new URL(url).origin, env().MEDIA_URL);
  for (const address of [url, elsewhere]) expect(await image(address)).toMatchObject({ mediaId: id });
});

test('videos and audio are accepted in their fields', async () => {
  const film = await resolveMediaInput(accountId, dataUrl(mp4), 'video', { path: '/video' });
  expect(film).toMatchObject({ contentType: 'video/mp4', width: 64, height: 48, duration: expect.closeTo(1, 0) });
  const sound = await resolveMediaInput(accountId, dataUrl(wav), 'audio', { path: '/voice', code: 'invalid_request' });
  expect(sound).toMatchObject({ contentType: 'audio/wav', width: null, duration: 1 });
});

test('a file of the wrong type is refused with the error code of the endpoint', async () => {
  await expect(image(dataUrl(mp4))).rejects.toMatchObject(
    refusal('The file is video/mp4; this field takes a JPEG, PNG, WebP, AVIF or GIF image.'),
  );
  await expect(image(`${site}/page`)).rejects.toMatchObject(refusal('not a JPEG'));
  const voice = resolveMediaInput(accountId, dataUrl(png), 'audio', { path: '/voice', code: 'invalid_request' });
  await expect(voice).rejects.toMatchObject({ code: 'invalid_request', extra: { issues: [{ path: '/voice' }] } });
});

test('addresses of this deployment without a live file of the account are refused with the same message', async () => {
  const ticket = await createUploadTicket(accountId, 'image/png');
  const deleted = await upload('image/png', png);
  await deleteUpload(accountId, deleted.id);
  const expired = await result({ expiresAt: new Date(Date.now() - 1) });
  const foreign = await result({ accountId: await openAccount() });
  const base = 'http://pomona.test:3000';
  const own = [
    ticket.url,
    deleted.url,
    expired.url,
    foreign.url,
    `${base}/media/result/0123.png`,
    `${base}/media/`,
    `${base}/v1/account`,
    `${base}/media/../package.json`,
  ];
  const messages = await Promise.all(own.map(url => image(url).catch((error: Error) => error.message)));
  expect(new Set(messages)).toEqual(new Set([expect.stringContaining('No file of this account is at this address')]));
});

test('a URL that cannot be fetched is refused with the reason', async () => {
  for (const [url, reason] of [
    [`${site}/nothing`, 'Its server answered 404'],
    ['http://public.test/a.png', 'Only https addresses are fetched'],
    ['file:///etc/passwd', 'Only https addresses are fetched'],
    ['https://user@public.test/', 'user name or password'],
    ['a.png', 'must be an https URL'],
    ['https://127.0.0.1/a.png', 'could not be fetched'],
  ] as const)
    await expect(image(url)).rejects.toMatchObject(refusal(reason));
});

test('a media value is checked without network access', async () => {
  const check = (value: unknown) => checkMediaValue(accountId, value, 'image', { path: '/image' });
  const fetches = asked;
  expect(await check(`${site}/a.png`)).toEqual({ remote: `${site}/a.png` });
  expect(await check('https://nobody.invalid/a.png')).toEqual({ remote: 'https://nobody.invalid/a.png' });
  expect(await check(dataUrl(png))).toMatchObject({ input: { contentType: 'image/png', isNew: true } });
  expect(await check((await upload('image/png', png)).url)).toMatchObject({ input: { isNew: false } });
  for (const bad of ['http://public.test/', 'https://10.0.0.1/', 'a.png', dataUrl(mp4), 7])
    await expect(check(bad)).rejects.toMatchObject({ code: 'invalid_config' });
  expect(asked).toBe(fetches);
  expect(await fetchMediaInput(accountId, `${site}/a.png`, 'image', { path: '/image', network })).toMatchObject({
    contentType: 'image/png',
  });
});

test('a URL may have at most 8192 characters, both as sent and as stored', async () => {
  const check = (value: string) => checkMediaValue(accountId, value, 'image', { path: '/image' });
  const longest = 'https://nobody.invalid/'.padEnd(8_192, 'x');
  expect(await check(longest)).toEqual({ remote: longest });
  // each é is stored as six characters (%C3%A9)
  for (const address of [`${longest}x`, 'https://nobody.invalid/'.padEnd(2_000, 'é')])
    await expect(check(address)).rejects.toMatchObject(refusal('at most 8192 characters'));
});

test('the files of a refused request are deleted immediately, unless another request uses them', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const [file, taken] = [await image(dataUrl(png)), await image(dataUrl(jpeg))];
  const again = await image(dataUrl(jpeg));
  expect([file.isNew, taken.isNew, again.isNew]).toEqual([true, true, false]);
  await discardInputs([file, taken]);
  expect(await rowOf(file.mediaId)).toBeUndefined();
  expect(await storage().head(file.key)).toBeNull();
  expect(await rowOf(taken.mediaId)).toMatchObject({ deletedAt: null });
  expect(await storage().head(taken.key)).not.toBeNull();
  // the expiry was extended several times, but only by inputs of the refused request itself
  const third = await image(dataUrl(jpeg));
  await discardInputs([again, third, taken]);
  expect(await rowOf(taken.mediaId)).toBeUndefined();
  const uploaded = await image((await upload('image/png', png)).url);
  await discardInputs([uploaded, { ...uploaded, isNew: true }]);
  expect(await storage().head(uploaded.key)).not.toBeNull();
});

test('a file used several times by a refused request is deleted immediately, unless another request uses it', async () => {
  const wide = dataUrl(await makeImage(72, 30).png().toBuffer());
  const twice = await Promise.all([image(wide), image(wide), image(wide)]);
  expect(new Set(twice.map(({ mediaId }) => mediaId)).size).toBe(1);
  await discardInputs(twice);
  expect(await rowOf(twice[0].mediaId)).toBeUndefined();
  const [first, , third] = [await image(wide), await image(wide), await image(wide)];
  await discardInputs([first, third]);
  expect(await rowOf(first.mediaId)).toMatchObject({ deletedAt: null });
});

test('no temporary file is left over, and every input row has its file', async () => {
  expect(readdirSync(temporaryFolder())).toEqual([]);
  const { rows } = await pool().query<{ key: string }>(
    `select key from media where kind = 'input' and deleted_at is null`,
  );
  for (const { key } of rows) expect(await storage().head(key)).not.toBeNull();
});
