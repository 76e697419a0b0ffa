import { and, eq, isNull } from 'drizzle-orm';
import { filesOf } from '#lib/cast/character-files';
import { getCharacter, type Character } from '#lib/cast/characters';
import { releaseFiles, withPublicFiles, type KeptFile } from '#lib/cast/entity-files';
import { saveCharacter } from '#lib/cast/save-character';
import { db } from '#lib/db/client';
import { inTurn } from '#lib/db/in-turn';
import { characters } from '#lib/db/schema';
import { log } from '#lib/log';

/**
 * Everybody may mention a public character; only its account lists, publishes and deletes it. Others are given copies of its files,
 * whose addresses end with the publication. One of an account at a time: what is asked for again meanwhile is copied once.
 */
export const setVisibility = (accountId: string, id: string, visibility: 'private' | 'public'): Promise<Character> =>
  // in a line of its own: to copy files takes seconds, for which nothing else of the account is to wait
  inTurn(`publish ${accountId}`, async () => {
    for (;;) {
      const character = await getCharacter(accountId, id);
      if (character.row.visibility === visibility) return character;
      await (visibility === 'public' ? publish : withdraw)(character);
    }
  });

/** A sweep: characters that were published before others had copies get theirs. Gives their number. */
export async function copyPublished(): Promise<number> {
  const withoutCopies = await db()
    .select({ accountId: characters.accountId, id: characters.id })
    .from(characters)
    .where(and(eq(characters.visibility, 'public'), isNull(characters.publicImageId)));
  for (const { accountId, id } of withoutCopies)
    // one whose files are lost must not keep the others from theirs
    await getCharacter(accountId, id)
      .then(publish)
      .catch((error: unknown) => log().error({ err: error, characterId: id }, 'a public character has no copies'));
  return withoutCopies.length;
}

const publish = (character: Character): Promise<void> =>
  withPublicFiles(filesOf(character), async (tx, kept) => {
    const isSaved = await saveCharacter(tx, character, { visibility: 'public', ...filesFrom(character, kept) });
    // somebody else was first, changed or deleted it
    if (!isSaved)
      await releaseFiles(
        tx,
        kept.map(({ publicMediaId }) => publicMediaId),
      );
  });

async function withdraw(character: Character): Promise<void> {
  const kept = filesOf(character).map(file => ({ ...file, publicMediaId: null }));
  await db().transaction(tx => saveCharacter(tx, character, { visibility: 'private', ...filesFrom(character, kept) }));
}

/** The files of a character, from the list of them that `filesOf` gives. */
function filesFrom({ voice }: Character, kept: KeptFile[]): Pick<Character, 'pictures' | 'voice'> {
  const [portrait, ...more] = voice ? kept.slice(0, -1) : kept;
  return { pictures: [portrait!, ...more], voice: voice && kept.at(-1)! };
}
