import { eq } from 'drizzle-orm';
import { db } from '#lib/db/client';
import { media, type SmallForms } from '#lib/db/schema';
import { log } from '#lib/log';
import { isLive, type MediaRow } from '#lib/media/find-media';
import { sniffFile } from '#lib/media/inspect-media';
import { keepForms } from '#lib/media/keep-forms';
import { UnusableMedia } from '#lib/media/unusable-media';
import { MEDIA_TYPES } from '#lib/storage/media-types';
import { storage } from '#lib/storage/store';
import { StoredFiles } from '#lib/worker/stored-files';
import { storeRenditions } from '#lib/worker/store-renditions';

/** Marks a file as having no renditions, so that it is not tried again. */
const NONE: SmallForms = { renditions: [] };

/** Marks a file as having no renditions, after all tries failed. */
export const giveUpForms = async (mediaId: string): Promise<void> => void (await keepForms(mediaId, NONE));

/**
 * Makes the renditions of a stored file, unless it has them. A file that cannot be decoded is marked as having none.
 */
export async function makeForms(mediaId: string, signal: AbortSignal): Promise<void> {
  const [file] = await db().select().from(media).where(eq(media.id, mediaId));
  if (!file || file.forms || !isLive(file)) return;
  const stored = new StoredFiles();
  const forms = await storeForms(file, stored, signal);
  // if this rejects, the rows may exist, so the files are not deleted here; a sweep deletes files without a row
  if (!(await keepForms(mediaId, forms))) await stored.drop();
}

async function storeForms(file: MediaRow, stored: StoredFiles, signal: AbortSignal): Promise<SmallForms> {
  const errand = { account: file.accountId, patient: true, signal };
  try {
    return await storage().withFile(file.key, async path =>
      // the stored content type was only declared at upload and not verified
      storeRenditions(path, MEDIA_TYPES[await sniffFile(path)].kind, stored, errand),
    );
  } catch (error) {
    await stored.drop();
    if (!(error instanceof UnusableMedia)) throw error;
    log().info({ mediaId: file.id, reason: error.message }, 'no renditions made of a file');
    return NONE;
  }
}
