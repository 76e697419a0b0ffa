import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { and, eq, getTableColumns, isNull, sql, type SQL } from 'drizzle-orm';
import { db, type Tx } from '#lib/db/client';
import { transactionOf } from '#lib/db/in-turn';
import { media } from '#lib/db/schema';
import { AppError } from '#lib/errors';
import { newId } from '#lib/ids';
import { expiryOf } from '#lib/media/lifetime';
import type { MediaRow } from '#lib/media/find-media';
import type { StoredFacts } from '#lib/media/media-facts';
import { isOutage } from '#lib/outage';
import { requireRoom } from '#lib/quotas';
import { hashFile } from '#lib/storage/hash';
import { newMediaKey } from '#lib/storage/media-key';
import { storage } from '#lib/storage/store';

type KeptInput = TakenInput & { isNew: boolean };

/**
 * Keeps a file as an input of the account for 30 days from now. The same bytes are stored once: for an existing input,
 * only the expiry is extended. Throws `quota_exceeded` when the account has no room, unless `isThere`: the account
 * already stores the bytes.
 */
export async function storeInput(
  accountId: string,
  path: string,
  facts: StoredFacts,
  { isThere = false } = {},
): Promise<KeptInput> {
  const sha256 = await hashFile(path);
  const takeSame = async () => {
    const known = await prolongInput(sql`${media.accountId} = ${accountId} and ${media.sha256} = ${sha256}`);
    return known && { ...known, isNew: false };
  };
  const known = await takeSame();
  if (known) return known;
  try {
    // null when a concurrent call has stored the same bytes
    const stored = await storeNew(accountId, path, facts, { sha256, isThere });
    return stored ?? (await storeInput(accountId, path, facts, { isThere }));
  } catch (error) {
    // the same bytes, stored by a concurrent call, may be what fills the quota
    const same = error instanceof AppError && (await takeSame());
    if (same) return same;
    throw error;
  }
}

async function storeNew(
  accountId: string,
  path: string,
  { contentType, width, height, duration }: StoredFacts,
  { sha256, isThere }: { sha256: Buffer; isThere: boolean },
): Promise<KeptInput | null> {
  const id = newId();
  const key = newMediaKey('input', contentType);
  const { size: bytes } = await stat(path);
  const requireRoomFor = async (tx?: Tx) => {
    if (!isThere) await requireRoom(accountId, 'LIMIT_STORED_BYTES', bytes, tx);
  };
  await requireRoomFor();
  await storage().put(key, createReadStream(path), contentType);
  try {
    const content = { contentType, bytes, width, height, duration, sha256 };
    const row = { id, accountId, kind: 'input', key, ...content, expiresAt: expiryOf(new Date()) } as const;
    const [stored] = await transactionOf(accountId, async tx => {
      await requireRoomFor(tx);
      return tx.insert(media).values(row).onConflictDoNothing().returning();
    });
    if (stored) return { row: stored, isNew: true, before: null };
  } catch (error) {
    // after an outage, the row may exist or still be written; a file that gets no row is swept as an orphan
    if (!isOutage(error) && (await isAbsent(id))) await storage().delete(key);
    throw error;
  }
  await storage().delete(key);
  return null;
}

/** An input, with its previous expiry if it existed before. */
export interface TakenInput {
  row: MediaRow;
  before: Date | null;
}

/** Extends an input to 30 days from now, and always beyond its expiry, by which `discardInputs` detects the use. */
export async function prolongInput(which: SQL): Promise<TakenInput | null> {
  const later = sql`greatest(${media.expiresAt} + interval '1 millisecond', ${expiryOf(new Date()).toISOString()}::timestamptz)`;
  const was = db()
    .$with('was')
    .as(
      db()
        .select({ id: media.id, expiresAt: media.expiresAt })
        .from(media)
        .where(and(which, eq(media.kind, 'input'), isNull(media.deletedAt)))
        .for('no key update'),
    );
  const [taken] = await db()
    .with(was)
    .update(media)
    .set({ expiresAt: later })
    .from(was)
    .where(eq(media.id, was.id))
    .returning({ row: getTableColumns(media), before: was.expiresAt });
  return taken ?? null;
}

const isAbsent = (id: string): Promise<boolean> =>
  db()
    .select({ id: media.id })
    .from(media)
    .where(eq(media.id, id))
    .then(
      rows => rows.length === 0,
      () => false,
    );
