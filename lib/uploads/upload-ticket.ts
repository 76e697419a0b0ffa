import { countAttempt } from '#lib/accounts/throttle';
import type { UploadTicketWire } from '#lib/contract/cast-schemas';
import { transactionOf } from '#lib/db/in-turn';
import { uploads } from '#lib/db/schema';
import { newId } from '#lib/ids';
import { expiryOf } from '#lib/media/lifetime';
import { newMediaKey } from '#lib/storage/media-key';
import { requireRoom } from '#lib/quotas';
import { storage } from '#lib/storage/store';
import { UPLOAD_TYPES, type DeclaredType } from '#lib/contract/upload-types';

export const MAX_UPLOAD_BYTES = 104_857_600;
export const PUT_MINUTES = 15;

/**
 * Creates an upload ticket: a signed URL for a PUT of exactly this type, and the URL that the file will have. Throws
 * `quota_exceeded` when the account has no room for another upload, and `too_many_requests`.
 */
export async function createUploadTicket(
  accountId: string,
  contentType: DeclaredType,
  fileName: string | null = null,
): Promise<UploadTicketWire> {
  await countAttempt('LIMIT_TICKETS', accountId);
  // signatures expire at whole seconds, and the ticket must not state a later time
  const now = new Date(Math.floor(Date.now() / 1000) * 1000);
  const putExpiresAt = new Date(now.getTime() + PUT_MINUTES * 60_000);
  const expiresAt = expiryOf(now);
  const id = newId();
  const key = newMediaKey('upload', UPLOAD_TYPES[contentType]);
  await requireRoom(accountId, 'LIMIT_STORED_BYTES', 1);
  await transactionOf(accountId, async tx => {
    await requireRoom(accountId, 'LIMIT_UPLOADS', 1, tx);
    await tx
      .insert(uploads)
      .values({ id, accountId, key, contentType, fileName, maxBytes: MAX_UPLOAD_BYTES, putExpiresAt, expiresAt });
  });
  const put = await storage().signPut(key, { contentType, maxBytes: MAX_UPLOAD_BYTES, expiresAt: putExpiresAt });
  return {
    id,
    upload_url: put.url,
    method: put.method,
    headers: put.headers,
    url: storage().url(key),
    content_type: contentType,
    max_bytes: MAX_UPLOAD_BYTES,
    upload_url_expires_at: putExpiresAt.toISOString(),
    url_expires_at: expiresAt.toISOString(),
  };
}
