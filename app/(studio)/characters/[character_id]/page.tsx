import { notFound } from 'next/navigation';
import { CharacterPage } from '#components/characters/character-page';
import { getPageAccount } from '#lib/auth/page-account';
import { getCharacter } from '#lib/cast/characters';
import { characterToWire } from '#lib/cast/to-wire';
import { FIRST_PAGE } from '#lib/client/history-queries';
import { AppError } from '#lib/errors';
import { readHistoryPage } from '#lib/generations/history-page';

export const metadata = { title: 'Character' };

interface Props {
  params: Promise<{ character_id: string }>;
}

export default async function Page({ params }: Props) {
  const { character_id } = await params;
  const { id } = await getPageAccount(`/characters/${character_id}`);
  const character = await getCharacter(id, character_id).catch((error: unknown) => {
    if (error instanceof AppError) notFound();
    throw error;
  });
  const filter = { mention: character.row.handle };
  const page = await readHistoryPage(id, filter, FIRST_PAGE);
  return <CharacterPage character={characterToWire(character)} made={{ filter, page }} />;
}
