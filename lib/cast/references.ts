import { and, desc, eq, type SQL } from 'drizzle-orm';
import { requireCreator, type Creator } from '#lib/cast/creator';
import {
  keptFile,
  releaseFiles,
  retireFiles,
  withEntityFiles,
  type EntityFile,
  type KeptFile,
} from '#lib/cast/entity-files';
import { claimHandle, freeHandle, requireFreeHandle } from '#lib/cast/handles';
import { CLIP_SECONDS } from '#lib/contract/cast-limits';
import type { NewReference, ReferenceChange, ReferenceKind } from '#lib/contract/cast-schemas';
import { db } from '#lib/db/client';
import { transactionOf } from '#lib/db/in-turn';
import { olderThan, toPage, type Page } from '#lib/db/page';
import { media, references } from '#lib/db/schema';
import { AppError, invalid } from '#lib/errors';
import { isUuid, newId } from '#lib/ids';
import { mustBe } from '#lib/issue';
import { keyOfUrl } from '#lib/uploads/key-of-url';

/** A saved object, location, pose, outfit or sound, with its file. */
export interface Reference {
  row: typeof references.$inferSelect;
  file: KeptFile;
}

async function select(where: SQL | undefined, limit: number): Promise<Reference[]> {
  const found = await db()
    .select({ row: references, media })
    .from(references)
    .innerJoin(media, eq(media.id, references.mediaId))
    .where(where)
    .orderBy(desc(references.id))
    .limit(limit);
  return found.map(({ row, media }) => ({ row, file: keptFile(media, null) }));
}

const owned = (accountId: string, id: string) => and(eq(references.id, id), eq(references.accountId, accountId));

/** Saves a private reference. Throws `forbidden`, `handle_taken`, and `invalid_request` for an unusable file. */
export async function createReference(creator: Creator, input: NewReference, signal?: AbortSignal): Promise<Reference> {
  requireCreator(creator);
  await requireFreeHandle(input.handle);
  const { accountId } = creator;
  const { name, kind, description = null } = input;
  return withEntityFiles({ accountId, files: [fileOf(input)], adds: 1, signal }, async (tx, [file]) => {
    const id = newId();
    const handle = await claimHandle(tx, { accountId, entityId: id, name, handle: input.handle });
    const [row] = await tx
      .insert(references)
      .values({ id, accountId, handle, name, kind, description, mediaId: file!.mediaId })
      .returning();
    return { row: row!, file: file! };
  });
}

/** Returns the file of a new reference. The contract guarantees that the member for its kind is present. */
const fileOf = ({ kind, image, audio }: NewReference): EntityFile =>
  kind === 'audio' ? soundFile(audio ?? '') : pictureFile(image ?? '');

const pictureFile = (value: string): EntityFile => ({ path: '/image', value });
const soundFile = (value: string): EntityFile => ({ path: '/audio', value, maxSeconds: CLIP_SECONDS });

/** Returns a page of the account's references, newest first. */
export async function listReferences(
  accountId: string,
  { limit, cursor, kind }: { limit: number; cursor?: string | undefined; kind?: ReferenceKind | undefined },
): Promise<Page<Reference>> {
  const older = olderThan(references.id, cursor);
  const ofKind = kind && eq(references.kind, kind);
  const rows = await select(and(eq(references.accountId, accountId), older, ofKind), limit + 1);
  return toPage(rows, limit, ({ row }) => row.id);
}

export async function getReference(accountId: string, id: string): Promise<Reference> {
  const [found] = isUuid(id) ? await select(owned(accountId, id), 1) : [];
  if (!found) throw notFound();
  return found;
}

/**
 * Changes the given members of a reference; requests keep the file that they were accepted with. Throws `forbidden`,
 * `reference_not_found`, `quota_exceeded`, and `invalid_request` for a file that is unusable or not of its kind.
 */
export async function changeReference(
  creator: Creator,
  id: string,
  change: ReferenceChange,
  signal?: AbortSignal,
): Promise<Reference> {
  requireCreator(creator);
  const { accountId } = creator;
  const { row, file: had } = await getReference(accountId, id);
  const file = newFileOf(row.kind, had.key, change);
  const { name, description } = change;
  const files = file ? [file] : [];
  await withEntityFiles({ accountId, files, adds: 0, signal }, async (tx, [stored]) => {
    const [was] = await tx.select().from(references).where(owned(accountId, id)).for('update');
    if (!was) throw notFound();
    const mediaId = stored?.mediaId ?? was.mediaId;
    await tx.update(references).set({ name, description, mediaId }).where(owned(accountId, id));
    if (stored) await retireFiles(tx, was, [was.mediaId]);
  });
  return getReference(accountId, id);
}

/** Returns the file that replaces the one at `key`; null when the file stays. */
function newFileOf(kind: ReferenceKind, key: string, { image, audio }: ReferenceChange): EntityFile | null {
  if (kind === 'audio' && image !== undefined)
    throw invalid('invalid_request', [mustBe('/image', 'left out: kind audio has an audio file only', image)]);
  if (kind !== 'audio' && audio !== undefined)
    throw invalid('invalid_request', [mustBe('/audio', 'left out: only kind audio has an audio file', audio)]);
  const value = image ?? audio;
  if (value === undefined || keyOfUrl(value) === key) return null;
  return kind === 'audio' ? soundFile(value) : pictureFile(value);
}

/** Deletes a reference. Its handle is free immediately; requests that use its file continue. */
export async function deleteReference(accountId: string, id: string): Promise<void> {
  if (!isUuid(id)) throw notFound();
  await transactionOf(accountId, async tx => {
    const [gone] = await tx.delete(references).where(owned(accountId, id)).returning();
    if (!gone) throw notFound();
    await freeHandle(tx, gone.handle);
    await releaseFiles(tx, [gone.mediaId]);
  });
}

const notFound = () => new AppError('reference_not_found', 'No reference with this id belongs to the account.');
