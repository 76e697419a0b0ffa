import { CharacterPage } from '#components/characters/character-page';
import { getPageAccount, orNotFound } from '#lib/auth/page-account';
import { getCharacter } from '#lib/cast/characters';
import { characterToWire } from '#lib/cast/to-wire';
import { FIRST_PAGE } from '#lib/client/history-queries';
import { readHistoryPage } from '#lib/generations/history-page';

export const metadata = { title: 'Character' };

export default async function Page({ params }: PageProps<'/characters/[character_id]'>) {
  const { character_id } = await params;
  const { id } = await getPageAccount(`/characters/${character_id}`);
  const character = await orNotFound(getCharacter(id, character_id));
  const filter = { mention: character.row.handle };
  const page = await readHistoryPage(id, filter, FIRST_PAGE);
  return <CharacterPage character={characterToWire(character)} made={{ filter, page }} />;
}
