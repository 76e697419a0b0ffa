import { cache } from 'react';
import { CharacterPage } from '#components/characters/character-page';
import { Known } from '#components/layout/known';
import { getPageAccount, orNotFound } from '#lib/auth/page-account';
import { getCharacter } from '#lib/cast/characters';
import { characterToWire } from '#lib/cast/to-wire';
import { answer } from '#lib/client/answer';
import { characterQuery } from '#lib/client/cast-api';
import { FIRST_PAGE } from '#lib/client/history-queries';
import { readHistoryPage } from '#lib/generations/history-page';

/** Returns the character, for its owner only. */
const read = cache(async (id: string) => orNotFound(getCharacter((await getPageAccount()).id, id)));

export async function generateMetadata({ params }: PageProps<'/characters/[character_id]'>) {
  return { title: (await read((await params).character_id)).row.name };
}

export default async function Page({ params }: PageProps<'/characters/[character_id]'>) {
  const character = await read((await params).character_id);
  const { id, handle, accountId } = character.row;
  const filter = { mention: handle };
  const page = await readHistoryPage(accountId, filter, FIRST_PAGE);
  return (
    <Known answers={[answer(characterQuery(id), characterToWire(character))]}>
      <CharacterPage id={id} made={{ filter, page }} />
    </Known>
  );
}
