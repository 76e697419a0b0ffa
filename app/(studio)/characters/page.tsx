import { CharactersPage } from '#components/characters/characters-page';
import { getPageAccount } from '#lib/auth/page-account';

export const metadata = { title: 'Characters' };

export default async function Page() {
  await getPageAccount();
  return <CharactersPage />;
}
