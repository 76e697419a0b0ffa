import { CharactersPage } from '#components/characters/characters-page';
import { Known } from '#components/layout/known';
import { getPageAccount } from '#lib/auth/page-account';
import { listCharacters } from '#lib/cast/characters';
import { answer } from '#lib/client/answer';
import { charactersQuery } from '#lib/client/cast-queries';

export const metadata = { title: 'Characters' };

/** Whoever has none is told so at once: a button that only those with some have would come and go. */
export default async function Page() {
  const { id } = await getPageAccount();
  const { data } = await listCharacters(id, { limit: 1 });
  return (
    <Known answers={data.length ? [] : [answer(charactersQuery, [])]}>
      <CharactersPage />
    </Known>
  );
}
