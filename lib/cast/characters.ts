import { and, desc, eq, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { keptFile, releaseKept, withEntityFiles, type EntityFile } from '#lib/cast/entity-files';
import { claimHandle, freeHandle, requireFreeHandle } from '#lib/cast/handles';
import { requireCreator, type Creator } from '#lib/cast/creator';
import { columnsOf, filesOf, insertPictures, morePictures, type CharacterFiles } from '#lib/cast/character-files';
import { VOICE_SECONDS } from '#lib/contract/cast-limits';
import type { NewCharacter } from '#lib/contract/cast-schemas';
import { db } from '#lib/db/client';
import { transactionOf } from '#lib/db/in-turn';
import { olderThan, toPage, type Page } from '#lib/db/page';
import { characters, media } from '#lib/db/schema';
import { AppError } from '#lib/errors';
import { isUuid, newId } from '#lib/ids';

/** A saved character with its files. */
export interface Character extends CharacterFiles {
  row: typeof characters.$inferSelect;
}

/** Returns a picture given in a request body; index 0 is the portrait. */
export const pictureFile = (value: string, index: number): EntityFile => ({
  path: index ? `/additional_images/${index - 1}` : '/image',
  value,
});
export const voiceFile = (value: string): EntityFile => ({ path: '/voice', value, maxSeconds: VOICE_SECONDS });

const image = alias(media, 'image');
const voice = alias(media, 'voice');

async function select(where: SQL | undefined, limit: number): Promise<Character[]> {
  const found = await db()
    .select({ row: characters, image, voice, more: morePictures })
    .from(characters)
    .innerJoin(image, eq(image.id, characters.imageId))
    .leftJoin(voice, eq(voice.id, characters.voiceId))
    .where(where)
    .orderBy(desc(characters.id))
    .limit(limit);
  return found.map(({ row, image, voice, more }) => ({
    row,
    pictures: [keptFile(image, row.publicImageId), ...more],
    voice: voice && keptFile(voice, row.publicVoiceId),
  }));
}

const owned = (accountId: string, id: string) => and(eq(characters.id, id), eq(characters.accountId, accountId));

/** Saves a private character. Throws `forbidden`, `handle_taken`, and `invalid_request` for unusable files. */
export async function createCharacter(creator: Creator, input: NewCharacter, signal?: AbortSignal): Promise<Character> {
  requireCreator(creator);
  await requireFreeHandle(input.handle);
  const { accountId } = creator;
  const { name, description = null } = input;
  const files = [input.image, ...(input.additional_images ?? [])].map(pictureFile);
  if (input.voice) files.push(voiceFile(input.voice));
  return withEntityFiles({ accountId, files, adds: 1, signal }, async (tx, kept) => {
    const id = newId();
    const handle = await claimHandle(tx, { accountId, entityId: id, name, handle: input.handle });
    const voice = input.voice ? kept.pop()! : null;
    const [portrait, ...more] = kept;
    const pictures: Character['pictures'] = [portrait!, ...more];
    const columns = columnsOf({ pictures, voice });
    const [row] = await tx
      .insert(characters)
      .values({ id, accountId, handle, name, description, ...columns })
      .returning();
    await insertPictures(tx, id, more);
    return { row: row!, pictures, voice };
  });
}

/** Returns a page of the account's characters, newest first. */
export async function listCharacters(
  accountId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<Character>> {
  const rows = await select(and(eq(characters.accountId, accountId), olderThan(characters.id, cursor)), limit + 1);
  return toPage(rows, limit, ({ row }) => row.id);
}

export async function getCharacter(accountId: string, id: string): Promise<Character> {
  const [found] = isUuid(id) ? await select(owned(accountId, id), 1) : [];
  if (!found) throw notFound();
  return found;
}

/** Deletes a character. Its handle is free immediately; requests that use its files continue. */
export async function deleteCharacter(accountId: string, id: string): Promise<void> {
  const character = await getCharacter(accountId, id);
  const isGone = await transactionOf(accountId, async tx => {
    const gone = await tx.delete(characters).where(unchanged(character)).returning({ id: characters.id });
    if (!gone.length) return false;
    await freeHandle(tx, character.row.handle);
    await releaseKept(tx, filesOf(character));
    return true;
  });
  // the character was changed meanwhile and may have other files, so they are read again
  if (!isGone) await deleteCharacter(accountId, id);
}

/** SQL condition: the character has not been changed since it was read. */
export const unchanged = ({ row }: Character) => and(eq(characters.id, row.id), eq(characters.revision, row.revision));

const notFound = () => new AppError('character_not_found', 'No character with this id belongs to the account.');
