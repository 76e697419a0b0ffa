import { CollectionsPage } from '#components/collections/collections-page';
import { Known } from '#components/layout/known';
import { getPageAccount } from '#lib/auth/page-account';
import { hasCollections } from '#lib/library/collections';
import { answer } from '#lib/client/answer';
import { collectionsQuery } from '#lib/client/library-queries';

export const metadata = { title: 'Collections' };

/** An empty list is known immediately, so that a button shown only with entries does not appear and disappear. */
export default async function Page() {
  const { id } = await getPageAccount();
  const answers = (await hasCollections(id)) ? [] : [answer(collectionsQuery, [])];
  return (
    <Known answers={answers}>
      <CollectionsPage />
    </Known>
  );
}
