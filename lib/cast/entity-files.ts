import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { inArray } from 'drizzle-orm';
import { db, type Tx } from '#lib/db/client';
import { media } from '#lib/db/schema';
import { AppError } from '#lib/errors';
import { newId } from '#lib/ids';
import { normalizeClip, normalizeImage } from '#lib/media/inspect-media';
import { UnusableMedia } from '#lib/media/unusable-media';
import { newMediaKey } from '#lib/storage/media-key';
import { inTemporaryFolder } from '#lib/process/temporary-folder';
import { storage } from '#lib/storage/store';
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
 * one transaction; when anything fails, nothing stays.
 */
export async function withEntityFiles<T>(
  accountId: string,
  files: EntityFile[],
  write: (tx: Tx, stored: EntityMedia[]) => Promise<T>,
): Promise<T> {
  const outcomes = await Promise.allSettled(files.map(file => storeCopy(accountId, file)));
  const copies = outcomes.flatMap(outcome => (outcome.status === 'fulfilled' ? outcome.value : []));
  try {
    const failures = outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    if (failures.length) throw inOne(failures);
    return await db().transaction(async tx => {
      await tx.insert(media).values(copies);
      return write(tx, copies);
    });
  } catch (error) {
    await dropUnowned(copies);
    throw error;
  }
}

/** The files of an entity that is deleted: nobody can fetch them any more, and retention removes them once no live request uses them. */
export async function releaseFiles(tx: Tx, mediaIds: string[]): Promise<void> {
  await tx.update(media).set({ expiresAt: new Date() }).where(inArray(media.id, mediaIds));
}

async function storeCopy(accountId: string, { member, value, maxSeconds }: EntityFile) {
  const path = `/${member}`;
  const kind = member === 'image' ? 'image' : 'audio';
  const original = await resolveMediaInput(accountId, value, kind, { path, code: 'invalid_request' });
  try {
    return await inTemporaryFolder(async folder => {
      const to = join(folder, 'copy');
      const facts = await storage().withFile(original.key, from => reencode(from, to, maxSeconds));
      const key = newMediaKey('entity', facts.contentType);
      const sha256 = await hashFile(to);
      const { bytes } = await storage().put(key, createReadStream(to), facts.contentType);
      return { id: newId(), accountId, kind: 'entity', key, ...facts, bytes, sha256 } as const;
    });
  } catch (error) {
    if (!(error instanceof UnusableMedia)) throw error;
    const message = `\`${member}\` cannot be used. ${error.message}`;
    throw new AppError('invalid_request', message, { issues: [{ path, message }] }, { cause: error });
  }
}

async function reencode(from: string, to: string, maxSeconds: number | undefined) {
  if (maxSeconds === undefined) {
    const { contentType, width, height } = await normalizeImage(from, to);
    return { contentType, width, height, duration: null };
  }
  const { contentType, duration } = await normalizeClip(from, to, maxSeconds);
  return { contentType, width: null, height: null, duration };
}

/** What is wrong with the client's files, together; a fault of ours goes before it. */
function inOne(failures: unknown[]): unknown {
  const refusals = failures.filter(failure => failure instanceof AppError);
  if (refusals.length < failures.length) return failures.find(failure => !(failure instanceof AppError));
  const issues = refusals.flatMap(({ extra }) => extra.issues ?? []);
  return new AppError('invalid_request', refusals.map(({ message }) => message).join(' '), { issues });
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
