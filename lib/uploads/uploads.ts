import { and, desc, eq, isNull, lt } from 'drizzle-orm';
import { db } from '#lib/db/client';
import { media, uploads } from '#lib/db/schema';
import { AppError } from '#lib/errors';
import { isUuid } from '#lib/ids';
import { storage } from '#lib/storage/store';
import { adoptUpload } from '#lib/uploads/complete-upload';
import { keyOfUrl } from '#lib/uploads/key-of-url';

export type Upload = typeof uploads.$inferSelect;

/** An upload as the wire has it. */
export interface UploadWire {
  id: string;
  /** `pending` until the signed PUT succeeded. */
  status: 'pending' | 'ready';
  url: string;
  content_type: string;
  /** As the client called it. */
  file_name: string | null;
  bytes: number | null;
  created_at: string;
  url_expires_at: string;
}

const live = (accountId: string) => and(eq(uploads.accountId, accountId), isNull(uploads.deletedAt));

/** The account's uploads, newest first. */
export async function listUploads(
  accountId: string,
  page: { limit: number; cursor?: string },
): Promise<{ data: UploadWire[]; next_cursor: string | null }> {
  if (page.cursor !== undefined && !isUuid(page.cursor)) {
    throw new AppError('invalid_request', '`cursor` must be the `next_cursor` of the page before.', {
      issues: [{ path: '/cursor', message: 'not a cursor of this list' }],
    });
  }
  const before = page.cursor === undefined ? undefined : lt(uploads.id, page.cursor);
  const read = () =>
    db()
      .select()
      .from(uploads)
      .where(and(live(accountId), before))
      .orderBy(desc(uploads.id))
      .limit(page.limit + 1);
  let rows = await read();
  if (storage().origin !== null && (await adoptAll(rows.filter(upload => !upload.readyAt)))) rows = await read();
  const data = rows.slice(0, page.limit);
  return { data: data.map(toWire), next_cursor: rows.length > page.limit ? (data.at(-1)?.id ?? null) : null };
}

/** Whether any of these files has come straight to the store meanwhile. */
const adoptAll = async (pending: Upload[]): Promise<boolean> =>
  (await Promise.all(pending.map(({ key }) => adoptUpload(key)))).includes(true);

/**
 * Removes an upload: its URL stops answering, and retention takes the file as soon as no live request uses it. Requests that
 * already ran keep their results.
 */
export async function deleteUpload(accountId: string, id: string): Promise<void> {
  const forgotten = isUuid(id) && (await forgetUpload(accountId, id));
  if (!forgotten) throw new AppError('upload_not_found', 'No upload with this id belongs to the account.');
}

/** The account's upload that has this address, ready or not. */
export async function findUploadByUrl(accountId: string, url: string): Promise<Upload | null> {
  const key = keyOfUrl(url);
  if (!key) return null;
  const [upload] = await db()
    .select()
    .from(uploads)
    .where(and(live(accountId), eq(uploads.key, key)));
  return upload ?? null;
}

const forgetUpload = (accountId: string, id: string): Promise<boolean> =>
  db().transaction(async tx => {
    const now = new Date();
    const [upload] = await tx
      .update(uploads)
      .set({ deletedAt: now })
      .where(and(live(accountId), eq(uploads.id, id)))
      .returning();
    if (upload?.mediaId) await tx.update(media).set({ expiresAt: now }).where(eq(media.id, upload.mediaId));
    return upload !== undefined;
  });

const toWire = (upload: Upload): UploadWire => ({
  id: upload.id,
  status: upload.readyAt ? 'ready' : 'pending',
  url: storage().url(upload.key),
  content_type: upload.contentType,
  file_name: upload.fileName,
  bytes: upload.bytes,
  created_at: upload.createdAt.toISOString(),
  url_expires_at: upload.expiresAt.toISOString(),
});
