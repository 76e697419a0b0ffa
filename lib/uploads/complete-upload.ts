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

/** Returns the ticket for a PUT to `key`; null when the ticket was deleted or has expired. */
export async function findOpenUpload(key: string) {
  const open = and(eq(uploads.key, key), isNull(uploads.deletedAt), gt(uploads.expiresAt, new Date()));
  const [upload] = await db().select().from(uploads).where(open).limit(1);
  return upload ?? null;
}

/**
 * Makes a stored file usable: marks the ticket of `key` as ready and inserts the media row, atomically and once.
 * Returns false when the ticket was deleted; throws `quota_exceeded` when the account has no room. Both remove the
 * file, under the ticket's lock; a client that has sent the same file again meanwhile must repeat that.
 */
export async function completeUpload(key: string, stored: StoredObject, mediaKey = key): Promise<boolean> {
  const [ticket] = await db().select({ accountId: uploads.accountId }).from(uploads).where(eq(uploads.key, key));
  // not in the account's line: a completion may wait, in the store, for a deletion that would wait for its turn
  return inTurn(`uploads ${ticket?.accountId ?? key}`, () => complete(key, stored, mediaKey));
}

const complete = (key: string, stored: StoredObject, mediaKey: string): Promise<boolean> =>
  db().transaction(async tx => {
    // locks the account first, in the order of an account deletion, to avoid a deadlock
    await tx.execute(sql`
      select from accounts where id = (select account_id from uploads where key = ${key}) for no key update`);
    const [upload] = await tx.select().from(uploads).where(eq(uploads.key, key)).for('update');
    // a file that was completed is never removed here, even if its ticket is deleted: a live request may use it
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
