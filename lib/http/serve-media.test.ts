import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { db } from '#lib/db/client';
import { media } from '#lib/db/schema';
import { serveMedia } from '#lib/http/serve-media';
import { startMediaServer, type Answer } from '#lib/http/media-test-server';
import { newId } from '#lib/ids';
import { newMediaKey } from '#lib/storage/media-key';
import { MEDIA_TYPES, type MediaType } from '#lib/storage/media-types';
import { storage } from '#lib/storage/store';

const site = await startMediaServer();
const bytes = randomBytes(1_500_000);
let path: string;
let etag: string;

async function store(
  row: Partial<typeof media.$inferInsert> = {},
  type: MediaType = 'image/png',
  body: Uint8Array = bytes,
) {
  const key = newMediaKey('result', type);
  const { bytes: length } = await storage().put(key, body, type);
  const expiresAt = new Date(Date.now() + 86_400_000 * 30);
  await db()
    .insert(media)
    .values({
      id: newId(),
      accountId: site.accountId,
      kind: 'result',
      key,
      contentType: type,
      bytes: length,
      expiresAt,
      ...row,
    });
  return key;
}

beforeAll(async () => {
  path = `/media/${await store()}`;
  etag = (await site.ask('HEAD', path)).headers.etag!;
});

test('a result is served whole, with security headers, private caching and a file name', async () => {
  const answer = await site.ask('GET', path);
  expect(answer.status).toBe(200);
  expect(answer.body.equals(bytes)).toBe(true);
  expect(answer.headers).toMatchObject({
    'content-type': 'image/png',
    'content-length': String(bytes.length),
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=86400, immutable',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    'content-disposition': expect.stringMatching(/^inline; filename="pomona-[0-9a-f]{12}\.png"$/),
  });
});

test('the download parameter sets the file name, which is escaped and keeps the extension of the type', async () => {
  const nameOf = async (name: string) =>
    (await site.ask('GET', `${path}?download=${encodeURIComponent(name)}`)).headers['content-disposition'];
  expect(await nameOf('Birnbäume im März.png')).toBe(
    `attachment; filename*=UTF-8''Birnb%C3%A4ume%20im%20M%C3%A4rz.png`,
  );
  expect(await nameOf(`a'b"(c)*\r\nx: y`)).toBe(`attachment; filename*=UTF-8''a%27b%22%28c%29%2A%0D%0Ax%3A%20y.png`);
  expect(await nameOf('Invoice.html')).toBe('attachment; filename="Invoice.html.png"');
  expect(await nameOf(`${'x'.repeat(99)}😀`)).toBe(`attachment; filename="${'x'.repeat(99)}.png"`);
  expect(await nameOf('two-figs.png')).toBe('attachment; filename="two-figs.png"');
  expect(await nameOf('')).toMatch(/^inline/);
});

test.each(Object.keys(MEDIA_TYPES) as MediaType[])('a file of type %s is served with that type', async type => {
  const answer = await site.ask('GET', `/media/${await store({}, type, new Uint8Array(10))}`);
  expect(answer.headers['content-type']).toBe(type);
  expect(answer.body).toHaveLength(10);
});

test('serveMedia returns a readable body to a server that is not the fast lane', async () => {
  const whole = await serveMedia(new Request(`http://localhost${path}`));
  expect(bytes.equals(Buffer.from(await whole.arrayBuffer()))).toBe(true);
  const part = await serveMedia(new Request(`http://localhost${path}`, { headers: { range: 'bytes=10-99' } }));
  expect(bytes.subarray(10, 100).equals(Buffer.from(await part.arrayBuffer()))).toBe(true);
});

test('HEAD returns the full length without a body, and ignores Range', async () => {
  const answer = await site.ask('HEAD', path, { headers: { range: 'bytes=0-9' } });
  expect(answer.status).toBe(200);
  expect(answer.headers['content-length']).toBe(String(bytes.length));
  expect(answer.body).toHaveLength(0);
});

const last = bytes.length - 1;
const partial: [string, number, number][] = [
  ['bytes=0-0', 0, 0],
  ['bytes=0-', 0, last],
  ['bytes=100-199', 100, 199],
  ['bytes=1000000-', 1_000_000, last],
  [`bytes=${last}-`, last, last],
  ['bytes=10-99999999999', 10, last],
  ['bytes=-1', last, last],
  ['bytes=-1000', last - 999, last],
  ['bytes=-99999999', 0, last],
  ['Bytes=5-6', 5, 6],
];
test.each(partial)('range %s gives 206', async (range, start, end) => {
  const answer = await site.ask('GET', path, { headers: { range } });
  expect(answer.status).toBe(206);
  expect(answer.headers['content-range']).toBe(`bytes ${start}-${end}/${bytes.length}`);
  expect(answer.headers['content-length']).toBe(String(end - start + 1));
  expect(answer.body.equals(bytes.subarray(start, end + 1))).toBe(true);
});

test.each([`bytes=${bytes.length}-`, `bytes=99999999-`, 'bytes=-0'])(
  'range %s gives 416 in the error envelope',
  async range => {
    const answer = await site.ask('GET', path, { headers: { range } });
    expect(answer.status).toBe(416);
    expect(answer.error?.code).toBe('range_not_satisfiable');
    expect(answer.headers['content-range']).toBe(`bytes */${bytes.length}`);
  },
);

test.each(['bytes=', 'bytes=-', 'bytes=9-5', 'bytes=a-b', 'bytes=0-1,5-6', 'items=0-5', '0-5', 'bytes=1.5-2'])(
  'range %s is ignored',
  async range => {
    const answer = await site.ask('GET', path, { headers: { range } });
    expect(answer.status).toBe(200);
    expect(answer.body).toHaveLength(bytes.length);
  },
);

test('a request whose If-None-Match has the current ETag gets 304', async () => {
  for (const known of [etag, `W/${etag}`, '*', `"other", ${etag}`]) {
    const answer = await site.ask('GET', path, { headers: { 'if-none-match': known } });
    expect(answer.status).toBe(304);
    expect(answer.headers.etag).toBe(etag);
    expect(answer.body).toHaveLength(0);
  }
  expect((await site.ask('GET', path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
});

test('If-Match is checked before other conditions, and gets 412 if the ETag differs', async () => {
  const ask = (ifMatch: string, method = 'GET', headers = {}) =>
    site.ask(method, path, { headers: { 'if-match': ifMatch, ...headers } });
  for (const same of [etag, `"other", ${etag}`, '*']) expect((await ask(same)).status).toBe(200);
  expect((await ask(etag, 'GET', { range: 'bytes=5-9' })).status).toBe(206);
  for (const other of ['"other"', `W/${etag}`, 'junk', '']) {
    const refused = await ask(other, 'GET', { 'if-none-match': etag, range: 'bytes=99999999-' });
    expect([refused.status, refused.error?.code]).toEqual([412, 'precondition_failed']);
    expect((await ask(other, 'HEAD')).status).toBe(412);
  }
});

test('If-Range returns a part only if it has the current ETag', async () => {
  const ask = (ifRange: string) => site.ask('GET', path, { headers: { range: 'bytes=5-9', 'if-range': ifRange } });
  expect((await ask(etag)).status).toBe(206);
  for (const other of ['"other"', `W/${etag}`, new Date().toUTCString()]) expect((await ask(other)).status).toBe(200);
});

const absent = [
  'result/0123.png',
  'result/0123.svg',
  'nothing',
  '',
  '..%2f..%2fetc%2fpasswd',
  'result/%00.png',
  'RESULT/A.PNG',
  '%E0%A4%A',
];
test.each(absent)('/media/%s gives 404 in the error envelope', async key => {
  const answer = await site.ask('GET', `/media/${key}`);
  expect(answer.status).toBe(404);
  expect(answer.error?.code).toBe('not_found');
  expect(answer.headers['x-request-id']).toBeTruthy();
});

test('a path that leads out of the stored media gives 404', async () => {
  for (const out of [
    '/media/../package.json',
    '/media/result/../../secrets/media',
    '/media/./.unfinished/x',
    '/media//etc/passwd',
  ]) {
    expect((await site.ask('GET', out)).status).toBe(404);
  }
});

test('expired and deleted files give 410', async () => {
  const past = new Date(Date.now() - 1000);
  const gone = async (answer: Answer) => {
    expect(answer.status).toBe(410);
    expect(answer.error?.code).toBe('media_expired');
    expect(answer.headers['cache-control']).toBe('no-store');
  };
  await gone(await site.ask('GET', `/media/${await store({ expiresAt: past })}`));
  await gone(await site.ask('GET', `/media/${await store({ deletedAt: past })}`));
});

test('the cache lifetime of a file does not exceed the time until it expires', async () => {
  const answer = await site.ask('GET', `/media/${await store({ expiresAt: new Date(Date.now() + 30_000) })}`);
  const age = Number(/^private, max-age=(\d+), immutable$/.exec(answer.headers['cache-control']!)?.[1]);
  expect(age).toBeGreaterThan(0);
  expect(age).toBeLessThanOrEqual(30);
  const owned = await site.ask('GET', `/media/${await store({ expiresAt: null })}`);
  expect(owned.headers['cache-control']).toContain('max-age=86400');
});

test('a row whose file is missing gives 404', async () => {
  const key = await store();
  await storage().delete(key);
  expect((await site.ask('GET', `/media/${key}`)).status).toBe(404);
});

test.each(['POST', 'PATCH', 'DELETE', 'OPTIONS'])('%s gives 405 with an Allow header', async method => {
  const answer = await site.ask(method, path);
  expect(answer.status).toBe(405);
  expect(answer.headers.allow).toBe('GET, HEAD, PUT');
  expect(answer.error?.code).toBe('method_not_allowed');
});

test('concurrent downloads, some of them slow or aborted, each receive the right file', async () => {
  const files = await Promise.all(
    Array.from({ length: 8 }, async (_, n) => {
      const body = randomBytes(2_000_000 + n);
      return { body, path: `/media/${await store({}, 'video/mp4', body)}` };
    }),
  );
  const read = async ({ body, path: file }: (typeof files)[number], turn: number) => {
    const answer = await fetch(`http://127.0.0.1:${site.port}${file}`);
    const chunks: Uint8Array[] = [];
    for await (const chunk of answer.body!) {
      chunks.push(chunk);
      if (turn % 3 === 1) await new Promise(setImmediate);
      if (turn % 3 === 2 && chunks.length > 2) return;
    }
    expect(Buffer.concat(chunks).equals(body)).toBe(true);
  };
  await Promise.all(Array.from({ length: 48 }, (_, turn) => read(files[turn % files.length]!, turn)));
});

test.runIf(process.platform === 'linux')('an aborted download closes its file', async () => {
  const large = `/media/${await store({}, 'video/mp4', randomBytes(20_000_000))}`;
  const isLarge = (fd: string) => existsSync(fd) && readlinkSync(fd).endsWith(large);
  const openFiles = () => readdirSync('/proc/self/fd').filter(fd => isLarge(`/proc/self/fd/${fd}`)).length;
  await Promise.all(
    Array.from(
      { length: 10 },
      () =>
        new Promise<void>(done => {
          const socket = connect(site.port, '127.0.0.1', () =>
            socket.write(`GET ${large} HTTP/1.1\r\nHost: localhost\r\n\r\n`),
          );
          socket.once('data', () => socket.destroy()).once('close', () => done());
        }),
    ),
  );
  await expect.poll(openFiles).toBe(0);
});
