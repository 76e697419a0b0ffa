import { eq } from 'drizzle-orm';
import { db } from '#lib/db/client';
import { media, type SmallForms } from '#lib/db/schema';
import { isLive } from '#lib/media/find-media';

/** Keeps the smaller forms of a file for as long as it lives. False when it has some by now, or is over: then they are nobody's. */
export async function keepForms(mediaId: string, forms: SmallForms): Promise<boolean> {
  return db().transaction(async tx => {
    // whoever ends the file waits, and ends them too
    const [file] = await tx.select().from(media).where(eq(media.id, mediaId)).for('no key update');
    if (!file || file.forms || !isLive(file)) return false;
    const { accountId, expiresAt } = file;
    const rows = (forms.renditions ?? []).map(({ mediaId: id, ...facts }) => ({ ...facts, id, accountId, expiresAt }));
    if (rows.length) await tx.insert(media).values(rows.map(row => ({ ...row, kind: 'preview' as const })));
    await tx.update(media).set({ forms }).where(eq(media.id, mediaId));
    return true;
  });
}
