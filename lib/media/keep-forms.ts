import { eq } from 'drizzle-orm';
import { db } from '#lib/db/client';
import { media, type SmallForms } from '#lib/db/schema';
import { isLive } from '#lib/media/find-media';

/** Stores the smaller forms of a file, with its expiry. Returns false and stores none if it has some or is not live. */
export async function keepForms(mediaId: string, forms: SmallForms): Promise<boolean> {
  return db().transaction(async tx => {
    // the lock makes a concurrent `endFiles` wait, so that it ends these forms too
    const [file] = await tx.select().from(media).where(eq(media.id, mediaId)).for('no key update');
    if (!file || file.forms || !isLive(file)) return false;
    const { accountId, expiresAt } = file;
    const rows = (forms.renditions ?? []).map(({ mediaId: id, ...facts }) => ({ ...facts, id, accountId, expiresAt }));
    if (rows.length) await tx.insert(media).values(rows.map(row => ({ ...row, kind: 'preview' as const })));
    await tx.update(media).set({ forms }).where(eq(media.id, mediaId));
    return true;
  });
}
