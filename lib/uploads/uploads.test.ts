import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import pg from 'pg';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { databaseAddress } from '#lib/db/address';
import { db, pool } from '#lib/db/client';
import { accounts, media } from '#lib/db/schema';
import { useOwnDatabase } from '#lib/db/test-database';
import { newId } from '#lib/ids';
import { begin, commitWhenWaitedFor } from '#lib/life/test-requests';
import { findMedia, isLive } from '#lib/media/find-media';
import { expireMedia } from '#lib/retention/expire-media';
import { newMediaKey } from '#lib/storage/media-key';
import { storage } from '#lib/storage/store';
import { completeUpload } from '#lib/uploads/complete-upload';
import { newUpload } from '#lib/contract/cast-schemas';
import { keyOfUrl } from '#lib/uploads/key-of-url';
import { createUploadTicket } from '#lib/uploads/upload-ticket';
import { deleteUpload, listUploads } from '#lib/uploads/uploads';

await useOwnDatabase();
process.env.DATA_DIR = mkdtempSync(join(tmpdir(), 'pomona-uploads-'));

let accountId: string;
beforeEach(async () => {
  accountId = newId();
  await db()
    .insert(accounts)
    .values({ id: accountId, email: `${accountId}@example.com` });
});

const ready = async () => {
  const ticket = await createUploadTicket(accountId, 'image/png');
  const key = keyOfUrl(ticket.url)!;
  await completeUpload(key, await storage().put(key, new Uint8Array(5), 'image/png'));
  return { ticket, key };
};

test.each([
  undefined,
  null,
  '',
  1,
  {},
  'image/tiff',
  'image/svg+xml',
  'IMAGE/PNG',
  'image/png; a=b',
  ' image/png',
  '__proto__',
  'constructor',
])('the contract refuses a ticket for %j', content_type => {
  expect(newUpload.safeParse({ content_type }).success).toBe(false);
});

const DECLARED = newUpload.shape.content_type.options;

test.each(DECLARED)('a ticket for %s declares that content type', async type => {
  const ticket = await createUploadTicket(accountId, type);
  expect(ticket.content_type).toBe(type);
  expect(ticket.headers['Content-Type']).toBe(type);
});

test('uploads are listed newest first, page by page', async () => {
  const tickets = [];
  for (let n = 0; n < 5; n++) tickets.push(await createUploadTicket(accountId, 'image/png'));
  const newestFirst = tickets.map(ticket => ticket.id).toReversed();
  const first = await listUploads(accountId, { limit: 2 });
  const second = await listUploads(accountId, { limit: 2, cursor: first.next_cursor! });
  const third = await listUploads(accountId, { limit: 2, cursor: second.next_cursor! });
  expect([...first.data, ...second.data, ...third.data].map(upload => upload.id)).toEqual(newestFirst);
  expect(third.next_cursor).toBeNull();
  expect((await listUploads(accountId, { limit: 5 })).next_cursor).toBeNull();
  expect((await listUploads(newId(), { limit: 5 })).data).toEqual([]);
  await expect(listUploads(accountId, { limit: 5, cursor: 'x' })).rejects.toMatchObject({ code: 'invalid_request' });
});

test('the list shows whether the file of an upload has arrived', async () => {
  const { ticket } = await ready();
  const pending = await createUploadTicket(accountId, 'audio/mp3');
  const { data } = await listUploads(accountId, { limit: 50 });
  expect(data).toEqual([
    expect.objectContaining({
      id: pending.id,
      status: 'pending',
      bytes: null,
      content_type: 'audio/mp3',
      url: pending.url,
    }),
    expect.objectContaining({ id: ticket.id, status: 'ready', bytes: 5, url_expires_at: ticket.url_expires_at }),
  ]);
});

test('a deleted upload is not listed, and retention deletes its file', async () => {
  const { ticket, key } = await ready();
  await deleteUpload(accountId, ticket.id);
  const row = await findMedia(key);
  expect(row && isLive(row)).toBe(false);
  await expireMedia(new Date());
  expect(await storage().head(key)).toBeNull();
  expect((await listUploads(accountId, { limit: 50 })).data).toEqual([]);
  await expect(deleteUpload(accountId, ticket.id)).rejects.toMatchObject({ code: 'upload_not_found' });
});

test('an upload of another account, an unknown id and an invalid id are all reported as upload_not_found', async () => {
  const { ticket, key } = await ready();
  for (const [account, id] of [
    [newId(), ticket.id],
    [accountId, newId()],
    [accountId, 'x'],
  ] as const) {
    await expect(deleteUpload(account, id)).rejects.toMatchObject({ code: 'upload_not_found', status: 404 });
  }
  expect(await storage().head(key)).not.toBeNull();
});

test('an upload that is completed several times, also with different copies of its file, counts once', async () => {
  const { key } = await ready();
  const copy = newMediaKey('upload', 'image/png');
  const stored = await storage().put(copy, new Uint8Array(5), 'image/png');
  const both = await Promise.all([completeUpload(key, stored), completeUpload(key, stored, copy)]);
  expect(both).toEqual([true, true]);
  expect(await db().$count(media, eq(media.accountId, accountId))).toBe(1);
});

test('concurrent completions of one account hold a single database connection while the store answers', async () => {
  const keys = await Promise.all(
    [1, 2, 3].map(async () => keyOfUrl((await createUploadTicket(accountId, 'image/png')).url)!),
  );
  const stored = await Promise.all(keys.map(key => storage().put(key, new Uint8Array(5), 'image/png')));
  const [{ head }, asked, told] = [storage(), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = vi.spyOn(storage(), 'head').mockImplementation(async key => {
    asked.resolve();
    await told.promise;
    return head(key);
  });
  onTestFinished(() => slow.mockRestore());
  const completing = keys.map((key, index) => completeUpload(key, stored[index]!));
  await asked.promise;
  // the pool has two connections: one must be free
  for (let n = 0; n < 10; n++) expect((await pool().query('select')).rowCount).toBe(1);
  told.resolve();
  expect(await Promise.all(completing)).toEqual([true, true, true]);
});

/** Runs `act` while its account is being deleted, and returns its result or error. */
async function whileAccountGoes(act: () => Promise<unknown>): Promise<unknown> {
  const deleting = new pg.Client(databaseAddress());
  await deleting.connect();
  await deleting.query('begin');
  await deleting.query('select from accounts where id = $1 for update', [accountId]);
  const done = act().catch((error: unknown) => error);
  const waiting = 'select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))';
  await Promise.race([done, expect.poll(async () => (await deleting.query(waiting)).rowCount).toBe(1)]);
  await deleting.query('delete from accounts where id = $1', [accountId]);
  await deleting.query('commit');
  await deleting.end();
  return await done;
}

test('an upload that is deleted while its file arrives stays deleted, and its file is deleted', async () => {
  const ticket = await createUploadTicket(accountId, 'image/png');
  const key = keyOfUrl(ticket.url)!;
  const stored = await storage().put(key, new Uint8Array(5), 'image/png');
  const elsewhere = await begin();
  await elsewhere.query('update uploads set deleted_at = now() where id = $1', [ticket.id]);
  const completed = completeUpload(key, stored);
  await commitWhenWaitedFor(elsewhere);
  expect(await completed).toBe(false);
  expect([await storage().head(key), await findMedia(key)]).toEqual([null, null]);
});

test('a PUT that completes while its account is being deleted is not accepted, and its file is deleted', async () => {
  const { url } = await createUploadTicket(accountId, 'image/png');
  const key = keyOfUrl(url)!;
  const stored = await storage().put(key, new Uint8Array(5), 'image/png');
  expect(await whileAccountGoes(() => completeUpload(key, stored))).toBe(false);
  expect(await storage().head(key)).toBeNull();
});

test('deleting an upload while its account is being deleted reports upload_not_found', async () => {
  const { ticket } = await ready();
  const deleted = await whileAccountGoes(() => deleteUpload(accountId, ticket.id));
  expect(deleted).toMatchObject({ code: 'upload_not_found' });
});
