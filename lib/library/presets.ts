import { and, desc, eq, sql } from 'drizzle-orm';
import { catalog } from '#lib/catalog/catalog';
import type { NewPreset } from '#lib/contract/library-schemas';
import { db } from '#lib/db/client';
import { transactionOf } from '#lib/db/in-turn';
import { presets } from '#lib/db/schema';
import { AppError, invalid } from '#lib/errors';
import { isUuid, newId } from '#lib/ids';
import { requireRoom } from '#lib/quotas';

export type Preset = typeof presets.$inferSelect;

const MOST_BYTES = 60_000;

/** Saves settings of an architecture, or without one part of a prompt as a style. Throws `quota_exceeded`. */
export async function createPreset(accountId: string, { name, architecture, settings }: NewPreset): Promise<Preset> {
  if (architecture !== null && !catalog().find(architecture))
    throw invalid('invalid_request', [{ path: '/architecture', message: 'No model has this id.' }]);
  if (architecture === null && (typeof settings.prompt !== 'string' || Object.keys(settings).length !== 1))
    throw invalid('invalid_request', [{ path: '/settings', message: 'A style is a prompt and nothing else.' }]);
  if (Buffer.byteLength(JSON.stringify(settings)) > MOST_BYTES)
    throw invalid('invalid_request', [{ path: '/settings', message: `Settings must fit in ${MOST_BYTES} bytes.` }]);
  return transactionOf(accountId, async tx => {
    await requireRoom(accountId, 'LIMIT_PRESETS', 1, tx);
    const [row] = await tx
      .insert(presets)
      .values({ id: newId(), accountId, name, architecture, body: settings })
      .returning();
    return row!;
  });
}

export const listPresets = (accountId: string): Promise<Preset[]> =>
  db().select().from(presets).where(eq(presets.accountId, accountId)).orderBy(desc(presets.id));

export async function renamePreset(accountId: string, id: string, name: string): Promise<Preset> {
  const [row] = isUuid(id) ? await db().update(presets).set({ name }).where(own(accountId, id)).returning() : [];
  if (!row) throw unknownPreset();
  return row;
}

export async function removePreset(accountId: string, id: string): Promise<void> {
  const gone = isUuid(id)
    ? await db()
        .delete(presets)
        .where(own(accountId, id))
        .returning({ id: sql`1` })
    : [];
  if (gone.length === 0) throw unknownPreset();
}

const own = (accountId: string, id: string) => and(eq(presets.id, id), eq(presets.accountId, accountId));
const unknownPreset = () => new AppError('not_found', 'No preset with this id belongs to the account.');
