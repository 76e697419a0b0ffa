import { inArray, sql, type SQL } from 'drizzle-orm';
import type { Tx } from '#lib/db/client';
import { media } from '#lib/db/schema';

/** An expiry that is past even by the clock of a machine that runs behind. */
export const LONG_AGO = new Date(0);

/** Sets the expiry of files and of their smaller forms, after which they are not served, and retention removes them. */
export async function endFiles(tx: Tx, mediaIds: string[], at: Date | SQL): Promise<void> {
  if (!mediaIds.length) return;
  await tx.update(media).set({ expiresAt: at }).where(inArray(media.id, mediaIds));
  // a separate statement, to see forms that `keepForms` inserted while the first one waited for the row of their file
  await tx.execute(sql`
    update media form set expires_at = file.expires_at
    from (select expires_at, jsonb_array_elements(forms -> 'renditions') as made
      from ${media} where ${inArray(media.id, mediaIds)}) file
    where form.id = (file.made ->> 'mediaId')::uuid`);
}
