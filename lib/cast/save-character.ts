import { eq, sql } from 'drizzle-orm';
import { columnsOf, filesOf, insertPictures } from '#lib/cast/character-files';
import { unchanged, type Character } from '#lib/cast/characters';
import { releaseFiles, retireFiles } from '#lib/cast/entity-files';
import type { Tx } from '#lib/db/client';
import { characterPictures, characters } from '#lib/db/schema';

type Change = Pick<Character, 'pictures' | 'voice'> &
  Partial<Pick<Character['row'], 'name' | 'description' | 'visibility'>>;

/**
 * Updates a character and releases the files that it no longer has. Returns false, and writes nothing, when the
 * character was changed or deleted since `was` was read.
 */
export async function saveCharacter(tx: Tx, was: Character, { pictures, voice, ...texts }: Change): Promise<boolean> {
  const now = { pictures, voice };
  const saved = await tx
    .update(characters)
    .set({ ...texts, ...columnsOf(now), revision: sql`${characters.revision} + 1` })
    .where(unchanged(was))
    .returning({ id: characters.id });
  if (!saved.length) return false;
  await tx.delete(characterPictures).where(eq(characterPictures.characterId, was.row.id));
  await insertPictures(tx, was.row.id, pictures.slice(1));
  const had = filesOf(was);
  const has = new Set(filesOf(now).flatMap(({ mediaId, publicMediaId }) => [mediaId, publicMediaId]));
  await retireFiles(
    tx,
    was.row,
    had.flatMap(({ mediaId }) => (has.has(mediaId) ? [] : mediaId)),
  );
  await releaseFiles(
    tx,
    had.flatMap(({ publicMediaId }) => (has.has(publicMediaId) ? [] : publicMediaId)),
  );
  return true;
}
