import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createWebServer, request, type ServerResponse } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { db } from '#lib/db/client';
import { media, uploads } from '#lib/db/schema';
import { adoptDeployment } from '#lib/deployment';
import { env } from '#lib/env';
import { startMediaServer } from '#lib/http/media-test-server';
import { newId } from '#lib/ids';
import { makeImage } from '#lib/media/media-test-files';
import { isOutage } from '#lib/outage';
import { forgetUploads } from '#lib/retention/forget-uploads';
import { sweepOrphans } from '#lib/retention/sweep-orphans';
import { faultOf } from '#lib/storage/bucket-answer';
import { newMediaKey } from '#lib/storage/media-key';
import { CREDENTIALS, startS3Server } from '#lib/storage/s3-test-server';
import { storage } from '#lib/storage/store';
import { checkMediaValue } from '#lib/uploads/check-media-value';
import { createUploadTicket } from '#lib/uploads/upload-ticket';
import type { UploadTicketWire } from '#lib/contract/cast-schemas';
import { listUploads } from '#lib/uploads/uploads';
import { singletons } from '#lib/singleton';

const site = await startMediaServer();
const s3 = await startS3Server();
afterAll(() => s3.close());

const bytes = Buffer.concat([Buffer.from('\0\0\0\x18ftypisom'), randomBytes(1_500_000)]);
const pathOf = (url: string) => new URL(url).pathname;
const send = ({ upload_url, headers }: UploadTicketWire, body = bytes) =>
  fetch(upload_url, { method: 'PUT', headers, body });
const uploadOf = async ({ id }: UploadTicketWire) => (await db().select().from(uploads).where(eq(uploads.id, id)))[0];
const open = () => createUploadTicket(site.accountId, 'video/mp4');

async function deliver(MEDIA_DELIVERY: 'redirect' | 'proxy') {
  singletons.delete('storage');
  Object.assign(env(), {
    STORAGE_URL: await s3.makeBucket(),
    MEDIA_DELIVERY,
    AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
  });
}
beforeEach(() => deliver('redirect'));

/** Makes requests for the store go to this server instead. */
async function standIn<S extends Server>(server: S): Promise<S> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  Object.assign(env(), { STORAGE_URL: env().STORAGE_URL!.replace(s3.origin, `http://127.0.0.1:${port}`) });
  singletons.delete('storage');
  return server;
}

async function keep(row: Partial<typeof media.$inferInsert> = {}): Promise<string> {
  const key = newMediaKey('result', 'video/mp4');
  await storage().put(key, bytes, 'video/mp4');
  const expiresAt = new Date(Date.now() + 86_400_000);
  const { accountId } = site;
  const facts = { id: newId(), accountId, kind: 'result', key, contentType: 'video/mp4', bytes: bytes.length } as const;
  await db()
    .insert(media)
    .values({ ...facts, expiresAt, ...row });
  return `/media/${key}`;
}

test('a result is redirected to a signed URL of the bucket that is valid for at most 20 minutes', async () => {
  const path = await keep();
  const { status, headers, body } = await site.ask('GET', path);
  expect([status, body.length]).toEqual([302, 0]);
  expect(headers['cache-control']).toBe('private, max-age=300');
  const location = new URL(headers.location!);
  expect(location.origin).toBe(s3.origin);
  expect(Number(location.searchParams.get('X-Amz-Expires'))).toBeLessThanOrEqual(1200);
  const whole = await fetch(location);
  expect(whole.headers.get('content-type')).toBe('video/mp4');
  expect(whole.headers.get('content-disposition')).toMatch(/^inline; filename="pomona-[0-9a-f]{12}\.mp4"$/);
  expect(bytes.equals(Buffer.from(await whole.arrayBuffer()))).toBe(true);
  expect((await fetch(location, { headers: { range: 'bytes=5-9' } })).headers.get('content-range')).toBe(
    `bytes 5-9/${bytes.length}`,
  );
  // as if two seconds had passed
  await db()
    .update(media)
    .set({ expiresAt: sql`${media.expiresAt} - interval '2 seconds'` });
  expect((await site.ask('GET', path)).headers.location).toBe(headers.location);
  const saved = await site.ask('GET', `${path}?download=film.mp4`);
  expect((await fetch(saved.headers.location!)).headers.get('content-disposition')).toBe(
    'attachment; filename="film.mp4"',
  );
});

test('HEAD and requests with the current ETag are answered without a redirect to the bucket', async () => {
  const path = await keep();
  const head = await site.ask('HEAD', path);
  expect(head.status).toBe(200);
  expect(head.headers).toMatchObject({ 'content-length': String(bytes.length), 'content-type': 'video/mp4' });
  const ask = (etag: string) => site.ask('GET', path, { headers: { 'if-none-match': etag } });
  expect((await ask(head.headers.etag!)).status).toBe(304);
  expect((await ask('"other"')).status).toBe(302);
});

test('an expired or deleted file is answered with 410, and a signed URL does not outlive its file', async () => {
  expect((await site.ask('GET', await keep({ expiresAt: new Date(Date.now() - 1000) }))).status).toBe(410);
  expect((await site.ask('GET', await keep({ deletedAt: new Date() }))).status).toBe(410);
  const expiresAt = Date.now() + 20_000;
  const { headers } = await site.ask('GET', await keep({ expiresAt: new Date(expiresAt) }));
  const query = new URL(headers.location!).searchParams;
  const [, ...at] = /^(\d{4})(..)(..)T(..)(..)(..)Z$/.exec(query.get('X-Amz-Date')!)!.map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const end = Date.UTC(at[0], at[1] - 1, ...at.slice(2)) + Number(query.get('X-Amz-Expires')) * 1000;
  expect(end).toBeLessThanOrEqual(expiresAt + 1000);
  const age = Number(/max-age=(\d+)$/.exec(headers['cache-control']!)?.[1]);
  expect(age).toBeGreaterThan(0);
  expect(age).toBeLessThanOrEqual(20);
});

test('with MEDIA_DELIVERY=proxy, files in a bucket are served and uploaded through this server', async () => {
  await deliver('proxy');
  const path = await keep();
  const whole = await site.ask('GET', path);
  expect([whole.status, whole.body.equals(bytes)]).toEqual([200, true]);
  const part = await site.ask('GET', path, { headers: { range: 'bytes=1000-1999' } });
  expect([part.status, part.body.equals(bytes.subarray(1000, 2000))]).toEqual([206, true]);
  expect((await site.ask('GET', path, { headers: { 'if-none-match': whole.headers.etag! } })).status).toBe(304);
  const ticket = await open();
  expect(new URL(ticket.upload_url).origin).toBe(env().BASE_URL);
  const upload_url = ticket.upload_url.replace(env().BASE_URL, `http://127.0.0.1:${site.port}`);
  expect((await send({ ...ticket, upload_url })).status).toBe(200);
  expect((await site.ask('GET', pathOf(ticket.url))).body.equals(bytes)).toBe(true);
});

test('the connection to the bucket is closed when the client disconnects before the bucket has answered', async () => {
  await deliver('proxy');
  const path = await keep();
  const asked = Promise.withResolvers<ServerResponse>();
  const store = await standIn(
    createWebServer((incoming, outgoing) => {
      if (incoming.method === 'GET') return asked.resolve(outgoing);
      outgoing.writeHead(200, { 'content-length': bytes.length, etag: '"film"' }).end();
    }),
  );
  const left = once(site.server, 'connection').then(([socket]) => once(socket as Socket, 'close'));
  const client = request({ port: site.port, path, agent: false }).on('error', () => {});
  client.end();
  const answer = await asked.promise;
  client.destroy();
  await left;
  const ended = once(answer, 'close');
  const more = () => void (answer.destroyed || answer.write(bytes, more));
  more();
  await ended;
  store.close();
});

test('a bucket that does not answer within the timeout is treated as an outage', async () => {
  await deliver('proxy');
  const path = await keep();
  const silent = await standIn(createServer(() => {}));
  const { timeout } = AbortSignal;
  const limits = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(50));
  const refused = await site.ask('GET', path);
  expect([refused.status, refused.error?.code]).toEqual([500, 'internal_error']);
  const found = storage().head(path.slice('/media/'.length));
  expect(isOutage(await found.catch((error: unknown) => error))).toBe(true);
  limits.mockRestore();
  silent.close();
});

test('an upload goes directly to the bucket and becomes ready on its first request', async () => {
  const ticket = await open();
  expect(new URL(ticket.upload_url).origin).toBe(s3.origin);
  expect(ticket.headers).toMatchObject({
    'Content-Type': 'video/mp4',
    'x-amz-meta-content-length-range': '0,104857600',
  });
  expect((await site.ask('GET', pathOf(ticket.url))).status).toBe(404);
  expect((await send(ticket)).status).toBe(200);
  expect((await uploadOf(ticket))?.readyAt).toBeNull();
  expect((await site.ask('HEAD', pathOf(ticket.url))).status).toBe(200);
  expect(await uploadOf(ticket)).toMatchObject({ readyAt: expect.any(Date), bytes: bytes.length });
  expect((await site.ask('GET', pathOf(ticket.url))).status).toBe(302);
});

test('an upload becomes ready when first used in a media field, and is refused if its bytes are not media', async () => {
  const png = await makeImage(40, 30).png().toBuffer();
  const ticket = await createUploadTicket(site.accountId, 'image/png');
  await send(ticket, png);
  const take = ({ url }: UploadTicketWire) => checkMediaValue(site.accountId, url, 'image', { path: '/image' });
  expect(await take(ticket)).toMatchObject({ input: { width: 40, height: 30, contentType: 'image/png' } });
  const page = await createUploadTicket(site.accountId, 'image/png');
  await send(page, Buffer.from('<html>no picture</html>'));
  await expect(take(page)).rejects.toMatchObject({
    code: 'invalid_config',
    message: expect.stringContaining('is no image, video or audio'),
  });
});

test('a media field refuses an upload over the storage quota of the account, and the file is deleted', async () => {
  const ticket = await createUploadTicket(site.accountId, 'image/png');
  await send(ticket, await makeImage(40, 30).png().toBuffer());
  const { LIMIT_STORED_BYTES } = env();
  Object.assign(env(), { LIMIT_STORED_BYTES: 10 });
  const taken = checkMediaValue(site.accountId, ticket.url, 'image', { path: '/image' });
  await expect(taken).rejects.toMatchObject({ code: 'quota_exceeded' });
  Object.assign(env(), { LIMIT_STORED_BYTES });
  expect(await storage().head(pathOf(ticket.url).slice('/media/'.length))).toBeNull();
});

test.each([
  ['the database', () => vi.spyOn(db(), 'transaction').mockRejectedValueOnce(new Error('Connection terminated'))],
  ['the store', () => vi.spyOn(storage(), 'get').mockRejectedValueOnce(faultOf(503, 'the store is busy'))],
])('an upload survives an outage of %s during its first request', async (_, breakOff) => {
  const ticket = await open();
  await send(ticket);
  const out = breakOff();
  const refused = await site.ask('GET', pathOf(ticket.url));
  expect([refused.status, refused.error?.code]).toEqual([500, 'internal_error']);
  expect(out).toHaveBeenCalledOnce();
  out.mockRestore();
  const { headers } = await site.ask('GET', pathOf(ticket.url));
  expect(bytes.equals(Buffer.from(await (await fetch(headers.location!)).arrayBuffer()))).toBe(true);
});

test('concurrent first requests all find an upload, and a later PUT to its signed URL does not change it', async () => {
  const ticket = await open();
  // exactly as many bytes as the ticket allows
  await db().update(uploads).set({ maxBytes: bytes.length }).where(eq(uploads.id, ticket.id));
  await send(ticket);
  const heads = await Promise.all(Array.from({ length: 6 }, () => site.ask('HEAD', pathOf(ticket.url))));
  expect(heads.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
  const other = Buffer.concat([bytes.subarray(0, 100), randomBytes(50)]);
  expect((await send(ticket, other)).status).toBe(200);
  const { headers } = await site.ask('GET', pathOf(ticket.url));
  expect(bytes.equals(Buffer.from(await (await fetch(headers.location!)).arrayBuffer()))).toBe(true);
  await adoptDeployment({ sweep: true });
  await sweepOrphans(new Date(Date.now() + 90 * 60_000));
  const left: number[] = [];
  for await (const file of storage().list('upload/')) left.push(file.bytes);
  expect(left).toEqual([bytes.length]);
});

test('the list of uploads shows a received file as ready and a missing one as pending', async () => {
  const [sent, waiting] = [await open(), await open()];
  await send(sent);
  const { data } = await listUploads(site.accountId, { limit: 2 });
  expect(data.map(({ id, status }) => [id, status])).toEqual([
    [waiting.id, 'pending'],
    [sent.id, 'ready'],
  ]);
});

test('the list of uploads works during an outage of the bucket, and shows a received file as pending', async () => {
  const ticket = await open();
  await send(ticket);
  const listed = async () => (await listUploads(site.accountId, { limit: 1 })).data[0];
  s3.failNext(1_000);
  expect(await listed()).toMatchObject({ id: ticket.id, status: 'pending' });
  s3.failNext(0);
  expect(await listed()).toMatchObject({ id: ticket.id, status: 'ready' });
});

test('concurrent upload lists of one account make a limited number of bucket requests at a time', async () => {
  await Promise.all(Array.from({ length: 8 }, open));
  const asked = { now: 0, most: 0 };
  const far = await standIn(
    createWebServer((_, outgoing) => {
      asked.most = Math.max(asked.most, ++asked.now);
      setTimeout(() => {
        asked.now--;
        outgoing.writeHead(404).end();
      }, 20);
    }),
  );
  const lists = await Promise.all(Array.from({ length: 4 }, () => listUploads(site.accountId, { limit: 8 })));
  for (const { data } of lists) expect(data.map(({ status }) => status)).toEqual(Array(8).fill('pending'));
  expect(asked.most).toBeLessThanOrEqual(env().LIMIT_FETCHES_PER_ACCOUNT);
  far.close();
});

test('an unexpected response in place of the bucket does not delete an upload', async () => {
  const ticket = await open();
  const asked = new Set<string | undefined>();
  const page = await standIn(
    createWebServer((incoming, outgoing) => {
      asked.add(incoming.method);
      outgoing.flushHeaders();
      outgoing.end();
    }),
  );
  expect((await site.ask('GET', pathOf(ticket.url))).status).toBe(500);
  expect([...asked]).toEqual(['HEAD']);
  page.close();
});

test('a received file that was never requested is kept when expired tickets are deleted', async () => {
  const [sent, never] = [await open(), await open()];
  await send(sent);
  await forgetUploads(new Date(Date.now() + 80 * 60_000));
  expect((await uploadOf(sent))?.readyAt).toEqual(expect.any(Date));
  expect(await uploadOf(never)).toBeUndefined();
});

test.each([
  ['is longer than its ticket allows', bytes.length - 1, bytes],
  ['is no media file', bytes.length, Buffer.from('<html>no film</html>')],
  ['is empty', bytes.length, Buffer.alloc(0)],
])('a file that %s is deleted on its first request', async (_, maxBytes, body) => {
  const ticket = await open();
  await db().update(uploads).set({ maxBytes }).where(eq(uploads.id, ticket.id));
  expect((await send(ticket, body)).status).toBe(200);
  expect((await site.ask('GET', pathOf(ticket.url))).status).toBe(404);
  expect(await storage().head(pathOf(ticket.url).slice('/media/'.length))).toBeNull();
  expect((await uploadOf(ticket))?.readyAt).toBeNull();
});
