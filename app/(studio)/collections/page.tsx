import { CollectionsPage } from '#components/collections/collections-page';
import { getPageAccount } from '#lib/auth/page-account';

export const metadata = { title: 'Collections' };

export default async function Page() {
  await getPageAccount();
  return <CollectionsPage />;
}
