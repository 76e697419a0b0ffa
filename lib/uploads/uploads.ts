import { and, desc, eq, isNull } from 'drizzle-orm';
import pMap from 'p-map';
import type { UploadWire } from '#lib/contract/cast-schemas';
import { db } from '#lib/db/client';
import { holdAccount } from '#lib/db/hold-account';
import { transactionOf } from '#lib/db/in-turn';
import { ofAccount } from '#lib/db/of-account';
import { olderThan, toPage } from '#lib/db/page';
import { media, uploads, type SmallForms } from '#lib/db/schema';
import { AppError } from '#lib/errors';
import { isUuid } from '#lib/ids';
import { log } from '#lib/log';
import { endFiles, LONG_AGO } from '#lib/media/end-files';
import { FairGate } from '#lib/media/fair-gate';
import { isOutage } from '#lib/outage';
import { singleton } from '#lib/singleton';
import { storage } from '#lib/storage/store';
import { adoptQuietly } from '#lib/uploads/adopt-upload';
import { endInputs } from '#lib/uploads/end-inputs';
import { formsToWire } from '#lib/uploads/forms-to-wire';

/** Concurrent store look-ups of one list; across all lists, the gate limits an account to its share of fetches. */
const AT_ONCE = 4;

const gate = () => singleton('uploads.looks', () => new FairGate('FETCHES'));

type Upload = typeof uploads.$inferSelect;

const live = (accountId: string) => and(ofAccount(uploads.accountId, accountId), isNull(uploads.deletedAt));

/** Lists the account's uploads, newest first. */
export async function listUploads(
  accountId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ data: UploadWire[]; next_cursor: string | null }> {
  const older = olderThan(uploads.id, cursor);
  const read = () =>
    db()
      .select({ upload: uploads, forms: media.forms })
      .from(uploads)
      .leftJoin(media, eq(media.id, uploads.mediaId))
      .where(and(live(accountId), older))
      .orderBy(desc(uploads.id))
      .limit(limit + 1);
  let rows = await read();
  if (storage().origin !== null && (await adoptAll(rows))) rows = await read();
  const { data, nextCursor } = toPage(rows, limit, ({ upload }) => upload.id);
  return { data: data.map(toWire), next_cursor: nextCursor };
}

/** Whether any pending upload has arrived at the store meanwhile; false while the store is down. */
async function adoptAll(rows: { upload: Upload }[]): Promise<boolean> {
  const open = rows.filter(({ upload }) => !upload.readyAt);
  try {
    const found = await pMap(
      open,
      ({ upload: { accountId: account, key } }) => gate().pass({ account, patient: true }, () => adoptQuietly(key)),
      { concurrency: AT_ONCE },
    );
    return found.includes(true);
  } catch (error) {
    if (!isOutage(error)) throw error;
    log().warn({ err: error }, 'uploads not checked; they are checked when the store is back');
    return false;
  }
}

/**
 * Deletes an upload: its URL stops working, and retention deletes the file once no live request uses it. The input that
 * it was converted to goes with it, unless something else uses that. Finished requests keep their results. Throws
 * `upload_not_found`.
 */
export async function deleteUpload(accountId: string, id: string): Promise<void> {
  const forgotten = isUuid(id) && (await forgetUpload(accountId, id));
  if (!forgotten) throw new AppError('upload_not_found', 'No upload with this id belongs to the account.');
}

const forgetUpload = (accountId: string, id: string): Promise<boolean> =>
  transactionOf(accountId, async tx => {
    await holdAccount(accountId, tx);
    const [upload] = await tx
      .update(uploads)
      .set({ deletedAt: new Date() })
      .where(and(live(accountId), eq(uploads.id, id)))
      .returning();
    if (!upload?.mediaId) return upload !== undefined;
    await endFiles(tx, [upload.mediaId], LONG_AGO);
    const [file] = await tx.select({ remadeId: media.remadeId }).from(media).where(eq(media.id, upload.mediaId));
    if (file?.remadeId) await endInputs(tx, accountId, [file.remadeId]);
    return true;
  });

const toWire = ({ upload, forms }: { upload: Upload; forms: SmallForms | null }): UploadWire => ({
  id: upload.id,
  status: upload.readyAt ? 'ready' : 'pending',
  url: storage().url(upload.key),
  content_type: upload.contentType,
  file_name: upload.fileName,
  bytes: upload.bytes,
  ...formsToWire(forms),
  created_at: upload.createdAt.toISOString(),
  url_expires_at: upload.expiresAt.toISOString(),
});
