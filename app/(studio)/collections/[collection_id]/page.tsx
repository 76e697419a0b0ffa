import { cache } from 'react';
import { CollectionPage } from '#components/collections/collection-page';
import { Known } from '#components/layout/known';
import { getPageAccount, orNotFound } from '#lib/auth/page-account';
import { answer } from '#lib/client/answer';
import { collectionQuery } from '#lib/client/library-queries';
import { getCollection } from '#lib/library/collections';
import { collectionDetail } from '#lib/library/to-wire';

/** Returns the collection, for its owner only. */
const read = cache(async (id: string) => orNotFound(getCollection((await getPageAccount()).id, id)));

export async function generateMetadata({ params }: PageProps<'/collections/[collection_id]'>) {
  return { title: (await read((await params).collection_id)).name };
}

export default async function Page({ params }: PageProps<'/collections/[collection_id]'>) {
  const collection = await read((await params).collection_id);
  const { id } = collection;
  return (
    <Known answers={[answer(collectionQuery(id), await collectionDetail(collection))]}>
      <CollectionPage id={id} />
    </Known>
  );
}
