import { CollectionsPage } from '#components/collections/collections-page';
import { Known } from '#components/layout/known';
import { getPageAccount } from '#lib/auth/page-account';
import { hasCollections } from '#lib/library/collections';
import { answer } from '#lib/client/answer';
import { collectionsQuery } from '#lib/client/library-queries';

export const metadata = { title: 'Collections' };

/** Whoever has none is told so at once: a button that only those with some have would come and go. */
export default async function Page() {
  const { id } = await getPageAccount();
  const answers = (await hasCollections(id)) ? [] : [answer(collectionsQuery, [])];
  return (
    <Known answers={answers}>
      <CollectionsPage />
    </Known>
  );
}
