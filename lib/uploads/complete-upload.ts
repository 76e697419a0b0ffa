import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { db } from '#lib/db/client';
import { inTurn } from '#lib/db/in-turn';
import { media, uploads } from '#lib/db/schema';
import { AppError } from '#lib/errors';
import { newId } from '#lib/ids';
import { orderForms } from '#lib/media/order-forms';
import { requireRoom } from '#lib/quotas';
import type { StoredObject } from '#lib/storage/storage';
import { storage } from '#lib/storage/store';

/** The ticket that a PUT to `key` belongs to, unless it was deleted or has expired. */
export async function findOpenUpload(key: string) {
  const open = and(eq(uploads.key, key), isNull(uploads.deletedAt), gt(uploads.expiresAt, new Date()));
  const [upload] = await db().select().from(uploads).where(open).limit(1);
  return upload ?? null;
}

/**
 * Makes the stored file usable: the ticket of `key` becomes ready and a media row appears, together and once. False when the
 * ticket was deleted before; throws `quota_exceeded` when the account has no room. The file, which may have a key of its own,
 * is then removed, while nobody else can complete it: whoever brought the same one meanwhile has to send it again.
 */
export async function completeUpload(key: string, stored: StoredObject, mediaKey = key): Promise<boolean> {
  const [ticket] = await db().select({ accountId: uploads.accountId }).from(uploads).where(eq(uploads.key, key));
  // turns of their own: whoever deletes one of the account may be waited for by the store
  return inTurn(`uploads ${ticket?.accountId ?? key}`, () => complete(key, stored, mediaKey));
}

const complete = (key: string, stored: StoredObject, mediaKey: string): Promise<boolean> =>
  db().transaction(async tx => {
    // the account first, as whoever deletes it does: they would wait for each other
    await tx.execute(sql`
      select from accounts where id = (select account_id from uploads where key = ${key}) for no key update`);
    const [upload] = await tx.select().from(uploads).where(eq(uploads.key, key)).for('update');
    // what was there once is somebody's, also when the ticket is gone: a live request may use it
    if (upload?.readyAt) return true;
    if (!upload || upload.deletedAt) {
      await storage().delete(mediaKey);
      return false;
    }
    if ((await storage().head(mediaKey))?.bytes !== stored.bytes) throw new AppError('invalid_request', REMOVED);
    const mediaId = newId();
    const { contentType, bytes } = stored;
    const { accountId, expiresAt } = upload;
    await requireRoom(accountId, 'LIMIT_STORED_BYTES', bytes, tx).catch(async (full: unknown) => {
      if (full instanceof AppError) await storage().delete(mediaKey);
      throw full;
    });
    await tx
      .insert(media)
      .values({ id: mediaId, accountId, kind: 'upload', key: mediaKey, contentType, bytes, expiresAt });
    await orderForms(tx, [mediaId]);
    await tx.update(uploads).set({ readyAt: new Date(), bytes, mediaId }).where(eq(uploads.id, upload.id));
    return true;
  });

const REMOVED = 'The file was removed or replaced while it arrived. Send it again.';
