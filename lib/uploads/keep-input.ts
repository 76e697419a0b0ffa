import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { db } from '#lib/db/client';
import { media } from '#lib/db/schema';
import type { MediaRow } from '#lib/media/find-media';
import { inspectMedia, normalizeImage } from '#lib/media/inspect-media';
import type { MediaFacts } from '#lib/media/media-facts';
import { requireKind } from '#lib/media/require-kind';
import type { MediaKind } from '#lib/media-kind';
import { inTemporaryFolder } from '#lib/process/temporary-folder';
import { hashFile } from '#lib/storage/hash';
import type { MediaType } from '#lib/storage/media-types';
import { storage } from '#lib/storage/store';
import { errandOf, type MediaField, type MediaInput } from '#lib/uploads/media-input';
import { prolongInput, storeInput, type TakenInput } from '#lib/uploads/store-input';

/** Whether a file was decoded, which sets its hash. Until then, the row only has what was declared. */
export const isInspected = (row: MediaRow): boolean => row.sha256 !== null;

/** Takes a stored file as an input. It is decoded on first use, and used in place unless it must be converted. */
export async function takeRow(row: MediaRow, kind: MediaKind, field: MediaField): Promise<MediaInput> {
  const remade = row.remadeId === null ? null : await prolongInput(eq(media.id, row.remadeId));
  const known = remade ?? { row, before: null };
  if (!isInspected(known.row))
    return storage().withFile(row.key, path => keepInput({ accountId: row.accountId, path, row }, kind, field));
  requireKind(known.row.contentType, kind);
  return toInput(known);
}

/** A local file of an account, with its row if it is already stored. */
interface GivenFile {
  accountId: string;
  path: string;
  row?: MediaRow;
}

/** Decodes a file and keeps it: in place if it is stored and usable, else as a new input. Re-encodes raw images. */
export async function keepInput(file: GivenFile, kind: MediaKind, field: MediaField): Promise<MediaInput> {
  const { accountId, path, row } = file;
  const errand = errandOf(accountId, field);
  const facts = await inspectMedia(path, errand);
  requireKind(facts.contentType, kind);
  if (facts.isRaw) {
    return inTemporaryFolder(async folder => {
      const clean = join(folder, 'clean');
      return store({ ...file, path: clean }, await normalizeImage(path, clean, errand));
    });
  }
  if (row?.contentType !== facts.contentType) return store(file, facts);
  const { width, height, duration } = facts;
  const known = { width, height, duration, sha256: await hashFile(path) };
  await db().update(media).set(known).where(eq(media.id, row.id));
  return toInput({ row: { ...row, ...known }, before: null });
}

/**
 * Copies a file to an input of its own, which cannot be deleted within its 30 days, unlike an upload or a result. The
 * account already stores the bytes, so no room is required.
 */
export async function ownInput(accountId: string, { key, contentType, ...facts }: MediaInput): Promise<MediaInput> {
  const known = { ...facts, contentType: contentType as MediaType };
  return storage().withFile(key, async path => toInput(await storeInput(accountId, path, known, { isThere: true })));
}

/** Keeps a file as an input of its own, and records that input in the row of the source, if any. */
async function store({ accountId, path, row }: GivenFile, facts: MediaFacts): Promise<MediaInput> {
  const stored = await storeInput(accountId, path, facts);
  if (row) await db().update(media).set({ remadeId: stored.row.id }).where(eq(media.id, row.id));
  return toInput(stored);
}

function toInput({ row, before, isNew = false }: TakenInput & { isNew?: boolean }): MediaInput {
  const { id: mediaId, key, contentType, width, height, duration, bytes, sha256, expiresAt } = row;
  if (!sha256) throw new Error(`media ${mediaId} was not inspected`);
  return { mediaId, key, contentType, width, height, duration, bytes, sha256, expiresAt, isNew, before };
}
