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

/** Of a file that has none, and is not tried again. */
const NONE: SmallForms = { renditions: [] };

/** After many tries. */
export const giveUpForms = async (mediaId: string): Promise<void> => void (await keepForms(mediaId, NONE));

/** Makes the smaller forms of a stored file, once. One that cannot be decoded has none from then on. */
export async function makeForms(mediaId: string, signal: AbortSignal): Promise<void> {
  const [file] = await db().select().from(media).where(eq(media.id, mediaId));
  if (!file || file.forms || !isLive(file)) return;
  const stored = new StoredFiles();
  const forms = await storeForms(file, stored, signal);
  // when this rejects they may be kept all the same; those that are not go as files without a row
  if (!(await keepForms(mediaId, forms))) await stored.drop();
}

async function storeForms(file: MediaRow, stored: StoredFiles, signal: AbortSignal): Promise<SmallForms> {
  const errand = { account: file.accountId, patient: true, signal };
  try {
    return await storage().withFile(file.key, async path =>
      // what it is was declared, and nobody has looked at it yet
      storeRenditions(path, MEDIA_TYPES[await sniffFile(path)].kind, stored, errand),
    );
  } catch (error) {
    await stored.drop();
    if (!(error instanceof UnusableMedia)) throw error;
    log().info({ mediaId: file.id, reason: error.message }, 'a file has no smaller forms');
    return NONE;
  }
}
