import { CollectionPage } from '#components/collections/collection-page';
import { getPageAccount, orNotFound } from '#lib/auth/page-account';
import { getCollection } from '#lib/library/collections';

export const metadata = { title: 'Collection' };

export default async function Page({ params }: PageProps<'/collections/[collection_id]'>) {
  const { collection_id } = await params;
  const { id } = await getPageAccount(`/collections/${collection_id}`);
  await orNotFound(getCollection(id, collection_id));
  return <CollectionPage id={collection_id} />;
}
