import { CharacterPage } from '#components/characters/character-page';
import { Known } from '#components/layout/known';
import { getPageAccount, orNotFound } from '#lib/auth/page-account';
import { getCharacter } from '#lib/cast/characters';
import { characterToWire } from '#lib/cast/to-wire';
import { answer } from '#lib/client/answer';
import { characterQuery } from '#lib/client/cast-api';
import { FIRST_PAGE } from '#lib/client/history-queries';
import { readHistoryPage } from '#lib/generations/history-page';

export const metadata = { title: 'Character' };

export default async function Page({ params }: PageProps<'/characters/[character_id]'>) {
  const { character_id } = await params;
  const { id } = await getPageAccount();
  const character = await orNotFound(getCharacter(id, character_id));
  const filter = { mention: character.row.handle };
  const page = await readHistoryPage(id, filter, FIRST_PAGE);
  return (
    <Known answers={[answer(characterQuery(character_id), characterToWire(character))]}>
      <CharacterPage id={character_id} made={{ filter, page }} />
    </Known>
  );
}
