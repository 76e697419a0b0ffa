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
 * Changes the visibility of a character. Any account may mention a public character; only its own account can list,
 * publish and delete it. Other accounts get copies of its files, whose URLs expire when it becomes private. Changes of
 * an account run one at a time, so that a repeated call does not copy twice.
 */
export const setVisibility = (accountId: string, id: string, visibility: 'private' | 'public'): Promise<Character> =>
  // a separate queue, since copying files takes seconds and must not delay other work of the account
  inTurn(`publish ${accountId}`, async () => {
    for (;;) {
      const character = await getCharacter(accountId, id);
      if (character.row.visibility === visibility) return character;
      await (visibility === 'public' ? publish : withdraw)(character);
    }
  });

/** Sweep: creates copies for characters that were published before copies existed. Returns their number. */
export async function copyPublished(): Promise<number> {
  const withoutCopies = await db()
    .select({ accountId: characters.accountId, id: characters.id })
    .from(characters)
    .where(and(eq(characters.visibility, 'public'), isNull(characters.publicImageId)));
  for (const { accountId, id } of withoutCopies)
    // a character whose files are lost must not block the others
    await getCharacter(accountId, id)
      .then(publish)
      .catch((error: unknown) =>
        log().error({ err: error, characterId: id }, 'files of a public character were not copied'),
      );
  return withoutCopies.length;
}

const publish = (character: Character): Promise<void> =>
  withPublicFiles(filesOf(character), async (tx, kept) => {
    const isSaved = await saveCharacter(tx, character, { visibility: 'public', ...filesFrom(character, kept) });
    // another request published, changed or deleted the character first
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

/** Splits a list in the order of `filesOf` into pictures and voice. */
function filesFrom({ voice }: Character, kept: KeptFile[]): Pick<Character, 'pictures' | 'voice'> {
  const [portrait, ...more] = voice ? kept.slice(0, -1) : kept;
  return { pictures: [portrait!, ...more], voice: voice && kept.at(-1)! };
}
