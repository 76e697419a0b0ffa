import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { request as send } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { eq } from 'drizzle-orm';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { db, pool } from '#lib/db/client';
import { media, uploads } from '#lib/db/schema';
import { env } from '#lib/env';
import { startMediaServer } from '#lib/http/media-test-server';
import { newId } from '#lib/ids';
import { timesReached } from '#lib/limits';
import { tagPicture } from '#lib/media/encode-image';
import { storage } from '#lib/storage/store';
import { createUploadTicket, MAX_UPLOAD_BYTES } from '#lib/uploads/upload-ticket';
import type { UploadTicketWire } from '#lib/contract/cast-schemas';
import { deleteUpload } from '#lib/uploads/uploads';

const site = await startMediaServer();
/** Returns a file that begins like a PNG image. */
const fileOf = (length: number, fill?: number): Buffer<ArrayBuffer> => {
  const bytes = fill === undefined ? randomBytes(length) : Buffer.alloc(length, fill);
  bytes.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
  return bytes;
};
const bytes = fileOf(300_000);
let ticket: UploadTicketWire;

beforeEach(async () => {
  ticket = await createUploadTicket(site.accountId, 'image/png');
});

const target = (url: string) => url.slice(new URL(url).origin.length);
const put = (to = ticket, body: Uint8Array = bytes) =>
  site.ask('PUT', target(to.upload_url), { headers: to.headers, body });
const rowOf = async () => (await db().select().from(uploads).where(eq(uploads.id, ticket.id)))[0]!;

/** Returns the answer to a PUT whose body begins with `begun` and never ends. */
function beginPut(more: Record<string, string>, begun?: Uint8Array, url = ticket.upload_url) {
  const headers = { ...ticket.headers, ...more };
  return new Promise(done => {
    const options = { port: site.port, host: '127.0.0.1', method: 'PUT', path: target(url), headers };
    const outgoing = send(options, answer => {
      done(answer.statusCode);
      outgoing.destroy();
    });
    outgoing.on('error', () => {}).flushHeaders();
    if (begun) outgoing.write(begun);
  });
}

function filesOnDisk(): string[] {
  const entries = readdirSync(join(process.env.DATA_DIR!, 'media'), { recursive: true, withFileTypes: true });
  return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
}

async function expectNothingLeft(before: string[]) {
  await expect.poll(filesOnDisk).toEqual(before);
  expect((await rowOf()).readyAt).toBeNull();
  expect((await site.ask('GET', target(ticket.url))).status).toBe(404);
}

test('an upload ticket has the specified members and expiry times', () => {
  const { upload_url, url, id, ...rest } = ticket;
  expect(rest).toEqual({
    method: 'PUT',
    headers: { 'Content-Type': 'image/png', 'x-pomona-content-length-range': '0,104857600' },
    content_type: 'image/png',
    max_bytes: 104_857_600,
    upload_url_expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
    url_expires_at: expect.stringMatching(/Z$/),
  });
  const span = Date.parse(rest.url_expires_at) - Date.parse(rest.upload_url_expires_at);
  expect(span).toBe(30 * 86_400_000 - 15 * 60_000);
  expect(upload_url.startsWith(`${url}?expires=`)).toBe(true);
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
});

test('a file is available after its PUT and not before', async () => {
  expect((await site.ask('GET', target(ticket.url))).status).toBe(404);
  const answer = await put();
  expect(answer.status).toBe(200);
  expect(answer.body).toHaveLength(0);
  const got = await site.ask('GET', target(ticket.url));
  expect(got.body.equals(bytes)).toBe(true);
  expect(got.headers.etag).toBe(answer.headers.etag);
  const upload = await rowOf();
  const [row] = await db().select().from(media).where(eq(media.id, upload.mediaId!));
  expect(row).toMatchObject({
    kind: 'upload',
    bytes: bytes.length,
    contentType: 'image/png',
    expiresAt: upload.expiresAt,
  });
  expect(upload).toMatchObject({ bytes: bytes.length, readyAt: expect.any(Date) });
});

test('a PUT with Content-Range is refused, and the whole file can be sent afterwards', async () => {
  const headers = { ...ticket.headers, 'Content-Range': `bytes 0-99/${bytes.length}` };
  const part = await site.ask('PUT', target(ticket.upload_url), { headers, body: bytes.subarray(0, 100) });
  expect([part.status, String(part.body)]).toEqual([400, expect.stringContaining('the whole file in one PUT')]);
  expect((await put()).status).toBe(200);
});

test.each(['audio/mp3', 'audio/wave', 'audio/x-wav', 'video/quicktime'] as const)(
  'a file declared as %s is accepted with that type',
  async type => {
    const declared = await createUploadTicket(site.accountId, type);
    expect(declared.headers['Content-Type']).toBe(type);
    expect((await put(declared)).status).toBe(200);
  },
);

test.each<[string, Uint8Array, string]>([
  ['nothing', new Uint8Array(), 'The file is empty.'],
  ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'), 'The file is not a JPEG'],
  ['noise', Buffer.alloc(5_000_000, 7), 'The file is not a JPEG'],
])('%s is refused on upload, and a valid file can be sent to the same URL afterwards', async (_, body, reason) => {
  const before = filesOnDisk();
  const refused = await put(ticket, body);
  expect([refused.status, refused.error?.code]).toEqual([400, 'invalid_request']);
  expect(refused.error?.message).toContain(reason);
  await expectNothingLeft(before);
  expect((await put()).status).toBe(200);
});

test('an image whose embedded prompt contains markup is accepted', async () => {
  const made = { architecture: 'mango', modelId: 'mango', prompt: 'a page, <html>', seed: 1, settings: {} };
  const named = tagPicture(bytes, made);
  expect((await put(ticket, named)).status).toBe(200);
  expect((await site.ask('GET', target(ticket.url))).body.equals(named)).toBe(true);
});

test('a file of unknown format is refused by its first bytes, while it is still being sent', async () => {
  expect(await beginPut({ 'content-length': '50000000' }, randomBytes(10_000))).toBe(400);
});

test('a file of undeclared length is accepted', async () => {
  const chunked = await createUploadTicket(site.accountId, 'video/mp4');
  const headers = { ...chunked.headers, 'transfer-encoding': 'chunked' };
  expect((await site.ask('PUT', target(chunked.upload_url), { headers, body: bytes })).status).toBe(200);
  expect((await site.ask('GET', target(chunked.url))).body.equals(bytes)).toBe(true);
});

type Request = { method: string; path: string; headers: Record<string, string | string[]> };
type Tampering = [name: string, change: (request: Request) => Partial<Request>];
const inPath = (name: string, change: (path: string) => string): Tampering => [name, r => ({ path: change(r.path) })];
const header = (name: string, type: string | string[] | null, range: string | string[] | null): Tampering => [
  name,
  () => ({
    headers: {
      ...(type === null ? {} : { 'Content-Type': type }),
      ...(range === null ? {} : { 'x-pomona-content-length-range': range }),
    },
  }),
];
const RANGE = '0,104857600';
const shift = (path: string, by: number) =>
  path.replace(/expires=(\d+)/, (_, n: string) => `expires=${Number(n) + by}`);
const flip = (path: string, at: number) => {
  const index = path.length - 1 - at;
  return path.slice(0, index) + (path[index] === 'A' ? 'B' : 'A') + path.slice(index + 1);
};

const tampered: Tampering[] = [
  inPath('no query', path => path.split('?')[0]!),
  inPath('an empty query', path => `${path.split('?')[0]}?`),
  inPath('no signature', path => path.replace(/&signature=.*/, '')),
  inPath('an empty signature', path => path.replace(/signature=.*/, 'signature=')),
  inPath('no expiry', path => path.replace(/expires=\d+&/, '')),
  inPath('a later expiry', path => shift(path, 1)),
  inPath('a much later expiry', path => shift(path, 86_400)),
  inPath('an earlier expiry', path => shift(path, -1)),
  inPath('an expiry with a zero in front', path => path.replace('expires=', 'expires=0')),
  inPath('an expiry with a sign', path => path.replace('expires=', 'expires=%2B')),
  inPath('an expiry in hexadecimal', path =>
    path.replace(/expires=(\d+)/, (_, n: string) => `expires=0x${Number(n).toString(16)}`),
  ),
  inPath('an expiry with a fraction', path => path.replace(/expires=(\d+)/, 'expires=$1.0')),
  inPath('an endless expiry', path => path.replace(/expires=\d+/, 'expires=Infinity')),
  inPath('an expiry twice', path => `${path}&expires=99999999999`),
  inPath('a signature twice', path => `${path}&signature=${'A'.repeat(43)}`),
  inPath('a parameter more', path => `${path}&a=1`),
  inPath('a parameter in front', path => path.replace('?', '?a=1&')),
  inPath('the parameters the other way round', path => path.replace(/\?(expires=\d+)&(signature=.*)/, '?$2&$1')),
  inPath('an ampersand at the end', path => `${path}&`),
  inPath('parameters in capitals', path => path.replace('expires', 'EXPIRES')),
  inPath('a signature in capitals', path =>
    path.replace(/signature=(.*)/, (_, s: string) => `signature=${s.toUpperCase()}`),
  ),
  inPath('a signature with padding', path => `${path}=`),
  inPath('a signature cut by one', path => path.slice(0, -1)),
  inPath('a signature longer by one', path => `${path}A`),
  inPath('a signature of zeros', path => path.replace(/signature=.*/, `signature=${'A'.repeat(43)}`)),
  inPath('a signature in hexadecimal', path => path.replace(/signature=.*/, `signature=${'0'.repeat(64)}`)),
  inPath('a signature with an escaped letter', path => path.replace(/.$/, c => `%${c.charCodeAt(0).toString(16)}`)),
  ...[0, 1, 7, 20, 41, 42].map(at =>
    inPath(`letter ${at} from the end of the signature changed`, path => flip(path, at)),
  ),
  inPath('another key', path => path.replace(/upload\/./, m => `upload/${m.at(-1) === '0' ? '1' : '0'}`)),
  inPath('another extension', path => path.replace('.png', '.jpg')),
  inPath('an extension that is not served', path => path.replace('.png', '.html')),
  inPath('another folder', path => path.replace('/upload/', '/result/')),
  inPath('a key in capitals', path => path.replace('.png', '.PNG')),
  inPath('an escaped letter in the key', path => path.replace('/upload/', '/%75pload/')),
  inPath('an escaped slash in the key', path => path.replace('/upload/', '/upload%2f')),
  inPath('a doubled slash', path => path.replace('/upload/', '//upload/')),
  inPath('a slash at the end of the key', path => path.replace('.png?', '.png/?')),
  inPath('a folder more', path => path.replace('/upload/', '/upload/x/')),
  inPath('a way out of the store', path => path.replace('/upload/', '/upload/..%2f..%2f')),
  inPath('a semicolon in the key', path => path.replace('.png?', '.png;a?')),
  header('no headers', null, null),
  header('no type', null, RANGE),
  header('another type', 'image/jpeg', RANGE),
  header('a type with a parameter', 'image/png; charset=utf-8', RANGE),
  header('a type in capitals', 'IMAGE/PNG', RANGE),
  header('a page as the type', 'text/html', RANGE),
  header('two types in one', 'image/png, image/png', RANGE),
  header('no range', 'image/png', null),
  header('an empty range', 'image/png', ''),
  header('a wider range', 'image/png', '0,999999999999'),
  header('a narrower range', 'image/png', '0,100'),
  header('another start', 'image/png', '1,104857600'),
  header('a range with a space', 'image/png', '0, 104857600'),
  header('an endless range', 'image/png', '0,Infinity'),
  header('a range with a part more', 'image/png', '0,104857600,1'),
  header('two ranges', 'image/png', [RANGE, RANGE]),
  [
    'the range of another store',
    () => ({ headers: { 'Content-Type': 'image/png', 'x-goog-content-length-range': RANGE } }),
  ],
];

test('the table of tampered uploads has at least 60 cases', () => expect(tampered.length).toBeGreaterThanOrEqual(60));

test.each(tampered)('a tampered PUT is refused with 403: %s', async (_, change) => {
  const before = filesOnDisk();
  const request: Request = { method: 'PUT', path: target(ticket.upload_url), headers: ticket.headers };
  const { method, path, headers } = { ...request, ...change(request) };
  const answer = await site.ask(method, path, { headers, body: bytes });
  expect(answer.status).toBe(403);
  expect(answer.error?.code).toBe('forbidden');
  await expectNothingLeft(before);
  expect((await put()).status).toBe(200);
});

test.each(['POST', 'PATCH', 'DELETE'])('the signature of an upload URL is not valid for %s', async method => {
  const file = new URL(ticket.url).pathname;
  const { status, error } = await site.ask(method, target(ticket.upload_url), { headers: ticket.headers });
  expect([status, error?.code]).toEqual([403, 'forbidden']);
  expect((await site.ask('GET', file)).status).toBe(404);
  const plain = await site.ask(method, file);
  expect([plain.status, plain.headers.allow]).toEqual([405, 'GET, HEAD, PUT']);
});

test('the signature of one ticket is not valid for the file of another', async () => {
  const other = await createUploadTicket(site.accountId, 'image/png');
  const path = target(other.url) + new URL(ticket.upload_url).search;
  expect((await site.ask('PUT', path, { headers: ticket.headers, body: bytes })).status).toBe(403);
  expect((await put(other)).status).toBe(200);
});

test('an expired upload signature is refused', async () => {
  const key = (await rowOf()).key;
  const options = { contentType: 'image/png', maxBytes: MAX_UPLOAD_BYTES, expiresAt: new Date(Date.now() - 1000) };
  const late = await storage().signPut(key, options);
  expect((await site.ask('PUT', target(late.url), { headers: late.headers, body: bytes })).status).toBe(403);
});

test('a file for a deleted ticket is refused', async () => {
  const before = filesOnDisk();
  await deleteUpload(site.accountId, ticket.id);
  expect((await put()).status).toBe(403);
  expect(filesOnDisk()).toEqual(before);
});

test('the file of a deleted upload cannot be sent again', async () => {
  await put();
  await deleteUpload(site.accountId, (await rowOf()).id);
  expect((await put()).status).toBe(403);
});

test('the file of a deleted upload is answered with 410 even on a server whose clock is behind', async () => {
  await put();
  const { id, key } = await rowOf();
  const path = new URL(storage().url(key)).pathname;
  expect((await site.ask('GET', path)).status).toBe(200);
  await deleteUpload(site.accountId, id);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 300_000 });
  onTestFinished(() => void vi.useRealTimers());
  expect((await site.ask('GET', path)).status).toBe(410);
});

test('sending the same file again succeeds, and a different file is refused and does not replace the first', async () => {
  const before = filesOnDisk().length;
  const first = await put();
  const again = await put();
  expect([again.status, again.headers.etag]).toEqual([200, first.headers.etag]);
  for (const other of [fileOf(30), fileOf(bytes.length), Buffer.alloc(bytes.length, 7)]) {
    const refused = await put(ticket, other);
    expect(refused.status).toBe(412);
    expect(refused.error).toMatchObject({
      code: 'precondition_failed',
      message: expect.stringContaining('new ticket'),
    });
  }
  expect(filesOnDisk()).toHaveLength(before + 1);
  expect((await site.ask('GET', target(ticket.url))).body.equals(bytes)).toBe(true);
});

test('concurrent PUTs of the same file all succeed', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => put()));
  expect(new Set(answers.map(({ status, headers }) => `${status} ${headers.etag}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(200);
});

test('exactly one of several concurrent PUTs of different files succeeds', async () => {
  const before = filesOnDisk().length;
  const bodies = Array.from({ length: 16 }, (_, n) => fileOf(200_000, n));
  const answers = await Promise.all(bodies.map(body => put(ticket, body)));
  expect(answers.map(answer => answer.status).sort()).toEqual([200, ...Array.from({ length: 15 }, () => 412)]);
  const winner = bodies[answers.findIndex(answer => answer.status === 200)]!;
  expect((await site.ask('GET', target(ticket.url))).body.equals(winner)).toBe(true);
  expect(filesOnDisk()).toHaveLength(before + 1);
});

test('a limited number of concurrent uploads of an account are written at a time, and the others wait', async () => {
  const drafts = () => filesOnDisk().filter(path => path.includes('.unfinished')).length;
  const most = env().LIMIT_UPLOADS_PER_ACCOUNT;
  const met = timesReached('LIMIT_UPLOADS_PER_ACCOUNT');
  const sockets: Socket[] = [];
  const note = (socket: Socket) => void sockets.push(socket);
  site.server.on('connection', note).setTimeout(90_000);
  onTestFinished(() => void site.server.off('connection', note).setTimeout(0));
  const held = Array.from({ length: most + 3 }, () => {
    const headers = { ...ticket.headers, 'transfer-encoding': 'chunked' };
    const outgoing = send({
      port: site.port,
      host: '127.0.0.1',
      method: 'PUT',
      path: target(ticket.upload_url),
      headers,
    });
    outgoing.on('error', () => {}).write(bytes);
    return outgoing;
  });
  onTestFinished(() => held.forEach(one => one.destroy()));
  await expect.poll(drafts).toBe(most);
  await expect.poll(() => timesReached('LIMIT_UPLOADS_PER_ACCOUNT') - met).toBe(3);
  expect(drafts()).toBe(most);
  // waiting uploads have no inactivity timeout
  expect(sockets.map(({ timeout }) => timeout).toSorted()).toEqual([0, 0, 0, ...Array(most).fill(90_000)]);
  const honest = put();
  for (const one of held) one.destroy();
  expect((await honest).status).toBe(200);
  await expect.poll(drafts).toBe(0);
});

/** Returns the answer to a PUT that declares a length and sends no body. */
const announced = (length: number) => beginPut({ 'content-length': String(length) });

test('a declared length over the limit or different from that of the stored file is refused before the body', async () => {
  const before = filesOnDisk();
  expect(await announced(MAX_UPLOAD_BYTES + 1)).toBe(413);
  await expectNothingLeft(before);
  await put();
  expect(await announced(bytes.length + 1)).toBe(412);
});

test('a body of undeclared length is refused as soon as it exceeds the limit, and leaves no file', async () => {
  const small = { contentType: 'image/png', maxBytes: 1_000_000, expiresAt: new Date(Date.now() + 60_000) };
  const before = filesOnDisk();
  const signed = await storage().signPut((await rowOf()).key, small);
  const send = (length: number) =>
    site.ask('PUT', target(signed.url), { headers: signed.headers, body: fileOf(length) });
  const chunked = { ...signed.headers, 'transfer-encoding': 'chunked' };
  const answer = await site.ask('PUT', target(signed.url), { headers: chunked, body: fileOf(1_000_001) });
  expect(answer.status).toBe(413);
  expect(answer.error?.code).toBe('request_too_large');
  expect(await beginPut(chunked, fileOf(1_000_001), signed.url)).toBe(413);
  await expectNothingLeft(before);
  expect((await send(1_000_000)).status).toBe(200);
});

test('an interrupted upload leaves no file and can be sent again', async () => {
  const before = filesOnDisk();
  const headers = { ...ticket.headers, 'content-length': '50000000' };
  await new Promise(closed => {
    const outgoing = send({
      port: site.port,
      host: '127.0.0.1',
      method: 'PUT',
      path: target(ticket.upload_url),
      headers,
    });
    outgoing.on('error', () => {}).on('close', closed);
    Readable.from([fileOf(2_000_000)]).on('data', chunk => outgoing.write(chunk, () => outgoing.destroy()));
  });
  await expectNothingLeft(before);
  expect((await put()).status).toBe(200);
});

test('a file stored without its row after a crash becomes ready when it is sent again or requested', async () => {
  await storage().put((await rowOf()).key, bytes, 'image/png');
  expect((await put()).status).toBe(200);
  expect((await rowOf()).readyAt).not.toBeNull();
  ticket = await createUploadTicket(site.accountId, 'image/png');
  await storage().put((await rowOf()).key, bytes, 'image/png');
  expect((await site.ask('GET', target(ticket.url))).body.equals(bytes)).toBe(true);
  expect((await rowOf()).readyAt).not.toBeNull();
});

test('no file is kept if its ticket is deleted during the upload', async () => {
  await mkdir(join(process.env.DATA_DIR!, 'media', '.unfinished'), { recursive: true });
  const before = filesOnDisk();
  const headers = { ...ticket.headers, 'content-length': '200000' };
  const status = await new Promise(done => {
    const outgoing = send(
      { port: site.port, host: '127.0.0.1', method: 'PUT', path: target(ticket.upload_url), headers },
      answer => done(answer.resume().statusCode),
    );
    outgoing.write(fileOf(100_000));
    void expect
      .poll(() => filesOnDisk().length)
      .toBe(before.length + 1)
      .then(() => deleteUpload(site.accountId, ticket.id))
      .then(() => outgoing.end(randomBytes(100_000)));
  });
  expect(status).toBe(403);
  expect(filesOnDisk()).toEqual(before);
  const [row] = await db().select().from(uploads).where(eq(uploads.id, ticket.id));
  expect(row?.readyAt).toBeNull();
});

test('a file over the storage quota of the account is refused before its body, and leaves nothing behind', async () => {
  const before = filesOnDisk();
  Object.assign(env(), { LIMIT_STORED_BYTES: 1_000 });
  for (const headers of [ticket.headers, { ...ticket.headers, 'transfer-encoding': 'chunked' }]) {
    const answer = await site.ask('PUT', target(ticket.upload_url), { headers, body: bytes });
    expect(answer.status).toBe(403);
    expect(answer.error?.code).toBe('quota_exceeded');
  }
  expect(await announced(bytes.length)).toBe(403);
  Object.assign(env(), { LIMIT_STORED_BYTES: 1_000_000_000 });
  await expectNothingLeft(before);
  expect((await put()).status).toBe(200);
});

test('a repeated PUT succeeds even if the first one has meanwhile used up the storage quota', async () => {
  const key = target(ticket.url).slice('/media/'.length);
  await storage().put(key, bytes, 'image/png');
  const first = await pool().connect();
  await first.query('begin; lock table media in access exclusive mode');
  const second = put();
  const waiting = `select from pg_locks where relation = 'media'::regclass and not granted`;
  await expect.poll(async () => (await first.query(waiting)).rowCount).toBe(1);
  await first.query(
    `with file as (
      insert into media (id, account_id, kind, key, content_type, bytes) values ($1, $2, 'upload', $3, 'image/png', $4) returning id
    ) update uploads set ready_at = now(), bytes = $4, media_id = file.id from file where key = $3`,
    [newId(), site.accountId, key, bytes.length],
  );
  Object.assign(env(), { LIMIT_STORED_BYTES: 1_000 });
  await first.query('commit');
  first.release();
  expect((await second).status).toBe(200);
  Object.assign(env(), { LIMIT_STORED_BYTES: 1_000_000_000 });
});

test('a PUT that arrives while the refused file of another is deleted leaves no row without a file', async () => {
  const store = storage();
  const [stored, removed] = [store.put.bind(store), store.delete.bind(store)];
  let second: ReturnType<typeof put> | undefined;
  const both = Promise.withResolvers<void>();
  vi.spyOn(store, 'put')
    .mockImplementationOnce(async (...file) => {
      const answer = await stored(...file);
      Object.assign(env(), { LIMIT_STORED_BYTES: 1_000 });
      return answer;
    })
    .mockImplementationOnce(async (...file) => {
      const answer = await stored(...file);
      both.resolve();
      return answer;
    });
  vi.spyOn(store, 'delete').mockImplementationOnce(async key => {
    Object.assign(env(), { LIMIT_STORED_BYTES: 1_000_000_000 });
    second = put();
    // the second PUT has arrived and waits for the end of this one
    await both.promise;
    await removed(key);
  });
  expect((await put()).error?.code).toBe('quota_exceeded');
  const { status, error } = (await second)!;
  expect([status, error?.message]).toEqual([400, expect.stringContaining('Send it again.')]);
  expect((await put()).status).toBe(200);
  expect((await site.ask('GET', target(ticket.url))).body.equals(bytes)).toBe(true);
  vi.restoreAllMocks();
});

test('repeating a PUT while its upload is deleted does not delete the stored file', async () => {
  await put();
  const { id, mediaId } = await rowOf();
  const store = storage();
  const stored = store.put.bind(store);
  const meanwhile = vi.spyOn(store, 'put').mockImplementation(async (...file) => {
    const answer = await stored(...file);
    await deleteUpload(site.accountId, id);
    return answer;
  });
  const { status } = await put();
  meanwhile.mockRestore();
  const [row] = await db().select().from(media).where(eq(media.id, mediaId!));
  expect(row!.deletedAt).toBeNull();
  expect(await store.head(row!.key)).not.toBeNull();
  expect(status).toBe(200);
});
