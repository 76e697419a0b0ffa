import { and, desc, eq, lt } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { withEntityFiles, releaseFiles, type EntityFile } from '#lib/cast/entity-files';
import { claimHandle, freeHandle, requireFreeHandle } from '#lib/cast/handles';
import { requireCreator, type Creator } from '#lib/cast/creator';
import type { NewCharacter } from '#lib/contract/cast-schemas';
import { db } from '#lib/db/client';
import { parseIdCursor, toPage, type Page } from '#lib/db/page';
import { characters, media } from '#lib/db/schema';
import { AppError } from '#lib/errors';
import { isUuid, newId } from '#lib/ids';

/** A saved character with where its files are. */
export interface Character {
  row: typeof characters.$inferSelect;
  imageKey: string;
  voiceKey: string | null;
}

const VOICE_SECONDS = 10;

const image = alias(media, 'image');
const voice = alias(media, 'voice');

const select = () =>
  db()
    .select({ row: characters, imageKey: image.key, voiceKey: voice.key })
    .from(characters)
    .innerJoin(image, eq(image.id, characters.imageId))
    .leftJoin(voice, eq(voice.id, characters.voiceId));

const owned = (accountId: string, id: string) => and(eq(characters.id, id), eq(characters.accountId, accountId));

/** Saves a private character. Throws `forbidden`, `handle_taken`, `invalid_request` for files that cannot be used. */
export async function createCharacter(creator: Creator, input: NewCharacter, signal?: AbortSignal): Promise<Character> {
  requireCreator(creator);
  await requireFreeHandle(input.handle);
  const { accountId } = creator;
  const { name, description = null } = input;
  const files: EntityFile[] = [{ member: 'image', value: input.image }];
  if (input.voice) files.push({ member: 'voice', value: input.voice, maxSeconds: VOICE_SECONDS });
  return withEntityFiles(
    accountId,
    files,
    async (tx, [portrait, clip]) => {
      const id = newId();
      const handle = await claimHandle(tx, { accountId, entityId: id, name, handle: input.handle });
      const [row] = await tx
        .insert(characters)
        .values({ id, accountId, handle, name, description, imageId: portrait!.id, voiceId: clip?.id ?? null })
        .returning();
      return { row: row!, imageKey: portrait!.key, voiceKey: clip?.key ?? null };
    },
    signal,
  );
}

/** The account's characters, newest first. */
export async function listCharacters(
  accountId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<Character>> {
  const after = parseIdCursor(cursor);
  const rows = await select()
    .where(and(eq(characters.accountId, accountId), after === undefined ? undefined : lt(characters.id, after)))
    .orderBy(desc(characters.id))
    .limit(limit + 1);
  return toPage(rows, limit, ({ row }) => row.id);
}

export async function getCharacter(accountId: string, id: string): Promise<Character> {
  const [found] = isUuid(id) ? await select().where(owned(accountId, id)) : [];
  if (!found) throw notFound();
  return found;
}

/** Deletes the character; its handle is free at once, and requests that use its files go on. */
export async function deleteCharacter(accountId: string, id: string): Promise<void> {
  if (!isUuid(id)) throw notFound();
  await db().transaction(async tx => {
    const [gone] = await tx.delete(characters).where(owned(accountId, id)).returning();
    if (!gone) throw notFound();
    await freeHandle(tx, gone.handle);
    await releaseFiles(tx, [gone.imageId, gone.voiceId, gone.publicImageId, gone.publicVoiceId]);
  });
}

const notFound = () => new AppError('character_not_found', 'No character with this id belongs to the account.');
