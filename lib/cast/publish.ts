import { and, eq } from 'drizzle-orm';
import { getCharacter, type Character } from '#lib/cast/characters';
import { releaseFiles, withSecondFiles } from '#lib/cast/entity-files';
import { db } from '#lib/db/client';
import { characters } from '#lib/db/schema';

const still = ({ row }: Character) => and(eq(characters.id, row.id), eq(characters.visibility, row.visibility));

/**
 * Everybody may mention a public character; only its account lists, publishes and deletes it. Others are given copies of its files,
 * whose addresses end with the publication.
 */
export async function setVisibility(
  accountId: string,
  id: string,
  visibility: 'private' | 'public',
): Promise<Character> {
  const character = await getCharacter(accountId, id);
  if (character.row.visibility !== visibility) await (visibility === 'public' ? publish : withdraw)(character);
  return getCharacter(accountId, id);
}

async function publish(character: Character): Promise<void> {
  const { imageId, voiceId } = character.row;
  await withSecondFiles(voiceId ? [imageId, voiceId] : [imageId], async (tx, [image, voice]) => {
    const copies = { publicImageId: image!.id, publicVoiceId: voice?.id ?? null };
    const published = await tx
      .update(characters)
      .set({ visibility: 'public', ...copies })
      .where(still(character))
      .returning({ id: characters.id });
    // somebody else was first, or deleted it
    if (published.length === 0) await releaseFiles(tx, Object.values(copies));
  });
}

async function withdraw(character: Character): Promise<void> {
  const { publicImageId, publicVoiceId } = character.row;
  await db().transaction(async tx => {
    const withdrawn = await tx
      .update(characters)
      .set({ visibility: 'private', publicImageId: null, publicVoiceId: null })
      .where(still(character))
      .returning({ id: characters.id });
    if (withdrawn.length) await releaseFiles(tx, [publicImageId, publicVoiceId]);
  });
}
