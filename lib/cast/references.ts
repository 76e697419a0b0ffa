import { and, desc, eq, lt } from 'drizzle-orm';
import { requireCreator, type Creator } from '#lib/cast/creator';
import { withEntityFiles, releaseFiles, type EntityFile } from '#lib/cast/entity-files';
import { claimHandle, freeHandle, requireFreeHandle } from '#lib/cast/handles';
import type { NewReference, ReferenceKind } from '#lib/contract/cast-schemas';
import { db } from '#lib/db/client';
import { parseIdCursor, toPage, type Page } from '#lib/db/page';
import { media, references } from '#lib/db/schema';
import { AppError } from '#lib/errors';
import { isUuid, newId } from '#lib/ids';

/** A saved object, location, pose, outfit or sound with where its file is. */
export interface Reference {
  row: typeof references.$inferSelect;
  mediaKey: string;
}

const CLIP_SECONDS = 15;

const select = () =>
  db()
    .select({ row: references, mediaKey: media.key })
    .from(references)
    .innerJoin(media, eq(media.id, references.mediaId));

const owned = (accountId: string, id: string) => and(eq(references.id, id), eq(references.accountId, accountId));

/** Saves a private reference. Throws `forbidden`, `handle_taken`, `invalid_request` for a file that cannot be used. */
export async function createReference(creator: Creator, input: NewReference, signal?: AbortSignal): Promise<Reference> {
  requireCreator(creator);
  await requireFreeHandle(input.handle);
  const { accountId } = creator;
  const { name, kind, description = null } = input;
  return withEntityFiles(
    accountId,
    [fileOf(input)],
    async (tx, [file]) => {
      const id = newId();
      const handle = await claimHandle(tx, { accountId, entityId: id, name, handle: input.handle });
      const [row] = await tx
        .insert(references)
        .values({ id, accountId, handle, name, kind, description, mediaId: file!.id })
        .returning();
      return { row: row!, mediaKey: file!.key };
    },
    signal,
  );
}

/** The contract has seen to it that the member of the kind is there. */
const fileOf = ({ kind, image, audio }: NewReference): EntityFile =>
  kind === 'audio'
    ? { member: 'audio', value: audio ?? '', maxSeconds: CLIP_SECONDS }
    : { member: 'image', value: image ?? '' };

/** The account's references, newest first. */
export async function listReferences(
  accountId: string,
  { limit, cursor, kind }: { limit: number; cursor?: string | undefined; kind?: ReferenceKind | undefined },
): Promise<Page<Reference>> {
  const after = parseIdCursor(cursor);
  const rows = await select()
    .where(
      and(
        eq(references.accountId, accountId),
        after === undefined ? undefined : lt(references.id, after),
        kind && eq(references.kind, kind),
      ),
    )
    .orderBy(desc(references.id))
    .limit(limit + 1);
  return toPage(rows, limit, ({ row }) => row.id);
}

export async function getReference(accountId: string, id: string): Promise<Reference> {
  const [found] = isUuid(id) ? await select().where(owned(accountId, id)) : [];
  if (!found) throw notFound();
  return found;
}

/** Deletes the reference; its handle is free at once, and requests that use its file go on. */
export async function deleteReference(accountId: string, id: string): Promise<void> {
  if (!isUuid(id)) throw notFound();
  await db().transaction(async tx => {
    const [gone] = await tx.delete(references).where(owned(accountId, id)).returning();
    if (!gone) throw notFound();
    await freeHandle(tx, gone.handle);
    await releaseFiles(tx, [gone.mediaId]);
  });
}

const notFound = () => new AppError('reference_not_found', 'No reference with this id belongs to the account.');
