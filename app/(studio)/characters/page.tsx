import { CharactersPage } from '#components/characters/characters-page';
import { Known } from '#components/layout/known';
import { getPageAccount } from '#lib/auth/page-account';
import { listCharacters } from '#lib/cast/characters';
import { answer } from '#lib/client/answer';
import { charactersQuery } from '#lib/client/cast-queries';

export const metadata = { title: 'Characters' };

/** An empty list is known immediately, so that a button shown only with entries does not appear and disappear. */
export default async function Page() {
  const { id } = await getPageAccount();
  const { data } = await listCharacters(id, { limit: 1 });
  return (
    <Known answers={data.length ? [] : [answer(charactersQuery, [])]}>
      <CharactersPage />
    </Known>
  );
}
