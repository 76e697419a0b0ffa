import { CollectionPage } from '#components/collections/collection-page';
import { Known } from '#components/layout/known';
import { getPageAccount, orNotFound } from '#lib/auth/page-account';
import { answer } from '#lib/client/answer';
import { collectionQuery } from '#lib/client/library-queries';
import { getCollection } from '#lib/library/collections';
import { collectionDetail } from '#lib/library/to-wire';

export const metadata = { title: 'Collection' };

export default async function Page({ params }: PageProps<'/collections/[collection_id]'>) {
  const { collection_id } = await params;
  const { id } = await getPageAccount();
  const collection = await orNotFound(getCollection(id, collection_id));
  return (
    <Known answers={[answer(collectionQuery(collection_id), await collectionDetail(collection))]}>
      <CollectionPage id={collection_id} />
    </Known>
  );
}
