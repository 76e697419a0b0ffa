import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { inArray } from 'drizzle-orm';
import { db, type Tx } from '#lib/db/client';
import { media } from '#lib/db/schema';
import { newId } from '#lib/ids';
import type { Errand } from '#lib/media/fair-gate';
import { normalizeClip, normalizeImage } from '#lib/media/inspect-media';
import { requireRoom } from '#lib/quotas';
import { newMediaKey } from '#lib/storage/media-key';
import { inTemporaryFolder } from '#lib/process/temporary-folder';
import { storage } from '#lib/storage/store';
import { discardInputs } from '#lib/uploads/discard-inputs';
import { errandOf, inField, inOne } from '#lib/uploads/media-input';
import { resolveMediaInput } from '#lib/uploads/resolve';
import { hashFile } from '#lib/uploads/store-input';

/** A file that a character or reference is made of, as the body of its create names it. */
export interface EntityFile {
  member: 'image' | 'voice' | 'audio';
  /** https URL, upload URL or data URL. */
  value: string;
  /** Sounds are cut to it. */
  maxSeconds?: number;
}

export type EntityMedia = Awaited<ReturnType<typeof storeCopy>>;

/**
 * Keeps re-encoded copies of the files for as long as the entity lives, and has `write` make its rows. Files first, rows in
 * one transaction; when anything fails, or `signal` says that the client is gone, nothing stays. Throws `quota_exceeded` when the account is full.
 */
export async function withEntityFiles<T>(
  accountId: string,
  files: EntityFile[],
  write: (tx: Tx, stored: EntityMedia[]) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  await requireRoom(accountId, 'LIMIT_CAST', 1);
  const outcomes = await Promise.allSettled(files.map(file => storeCopy(accountId, file, signal)));
  const copies = outcomes.flatMap(outcome => (outcome.status === 'fulfilled' ? outcome.value : []));
  try {
    const failures = outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    if (failures.length) throw inOne(failures, 'invalid_request');
    return await db().transaction(async tx => {
      await requireRoom(accountId, 'LIMIT_CAST', 1, tx);
      await requireRoom(
        accountId,
        'LIMIT_STORED_BYTES',
        copies.reduce((sum, { bytes }) => sum + bytes, 0),
        tx,
      );
      await tx.insert(media).values(copies);
      return write(tx, copies);
    });
  } catch (error) {
    await dropUnowned(copies);
    throw error;
  }
}

/** The files of an entity that is deleted: nobody can fetch them any more, and retention removes them once no live request uses them. */
export async function releaseFiles(tx: Tx, mediaIds: (string | null)[]): Promise<void> {
  const ids = mediaIds.filter(id => id !== null);
  await tx.update(media).set({ expiresAt: new Date() }).where(inArray(media.id, ids));
}

/** Keeps files of an entity a second time, and has `write` make the rows that name them; when that fails, nothing stays. */
export async function withSecondFiles<T>(
  mediaIds: string[],
  write: (tx: Tx, stored: EntityMedia[]) => Promise<T>,
): Promise<T> {
  const originals = await db().select().from(media).where(inArray(media.id, mediaIds));
  const copies: EntityMedia[] = [];
  try {
    for (const id of mediaIds) {
      const original = originals.find(row => row.id === id) as EntityMedia;
      const copy = { ...original, id: newId(), key: newMediaKey('entity', original.contentType) };
      await storage().withFile(original.key, path =>
        storage().put(copy.key, createReadStream(path), original.contentType),
      );
      copies.push(copy);
    }
    return await db().transaction(async tx => {
      await tx.insert(media).values(copies);
      return write(tx, copies);
    });
  } catch (error) {
    await dropUnowned(copies);
    throw error;
  }
}

async function storeCopy(accountId: string, { member, value, maxSeconds }: EntityFile, signal?: AbortSignal) {
  const field = { path: `/${member}`, code: 'invalid_request', signal } as const;
  const original = await resolveMediaInput(accountId, value, member === 'image' ? 'image' : 'audio', field);
  try {
    return await inField(field, () =>
      inTemporaryFolder(async folder => {
        const to = join(folder, 'copy');
        const errand = errandOf(accountId, field);
        const facts = await storage().withFile(original.key, from => reencode(from, to, maxSeconds, errand));
        const key = newMediaKey('entity', facts.contentType);
        const sha256 = await hashFile(to);
        const { bytes } = await storage().put(key, createReadStream(to), facts.contentType);
        return { id: newId(), accountId, kind: 'entity', key, ...facts, bytes, sha256 } as const;
      }),
    );
  } finally {
    // the copy is all that is needed
    await discardInputs([original]);
  }
}

async function reencode(from: string, to: string, maxSeconds: number | undefined, errand: Errand) {
  if (maxSeconds === undefined) {
    const { contentType, width, height } = await normalizeImage(from, to, errand);
    return { contentType, width, height, duration: null };
  }
  const { contentType, duration } = await normalizeClip(from, to, maxSeconds, errand);
  return { contentType, width: null, height: null, duration };
}

/** A commit whose answer was lost has made its rows all the same; then the files stay. */
async function dropUnowned(copies: EntityMedia[]): Promise<void> {
  const rows = await db()
    .select({ id: media.id })
    .from(media)
    .where(
      inArray(
        media.id,
        copies.map(({ id }) => id),
      ),
    );
  const owned = new Set(rows.map(({ id }) => id));
  await Promise.all(copies.filter(({ id }) => !owned.has(id)).map(({ key }) => storage().delete(key)));
}
