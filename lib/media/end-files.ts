import { inArray, sql, type SQL } from 'drizzle-orm';
import type { Tx } from '#lib/db/client';
import { media } from '#lib/db/schema';

/** Over by every clock: those of other machines may be behind. */
export const LONG_AGO = new Date(0);

/** Has files end at a time, and their smaller forms with them: nobody can fetch them from then on, and retention removes them. */
export async function endFiles(tx: Tx, mediaIds: string[], at: Date | SQL): Promise<void> {
  if (!mediaIds.length) return;
  await tx.update(media).set({ expiresAt: at }).where(inArray(media.id, mediaIds));
  // a statement of its own sees the forms that were kept while the first one waited for their file's row
  await tx.execute(sql`
    update media form set expires_at = file.expires_at
    from (select expires_at, jsonb_array_elements(forms -> 'renditions') as made
      from ${media} where ${inArray(media.id, mediaIds)}) file
    where form.id = (file.made ->> 'mediaId')::uuid`);
}
