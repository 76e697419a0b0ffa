import { notFound } from 'next/navigation';
import { CollectionPage } from '#components/collections/collection-page';
import { getPageAccount } from '#lib/auth/page-account';
import { AppError } from '#lib/errors';
import { getCollection } from '#lib/library/collections';

export const metadata = { title: 'Collection' };

interface Props {
  params: Promise<{ collection_id: string }>;
}

export default async function Page({ params }: Props) {
  const { collection_id } = await params;
  const { id } = await getPageAccount(`/collections/${collection_id}`);
  await getCollection(id, collection_id).catch((error: unknown) => {
    if (error instanceof AppError) notFound();
    throw error;
  });
  return <CollectionPage id={collection_id} />;
}
