import { ReferencesPage } from '#components/references/references-page';
import { getPageAccount } from '#lib/auth/page-account';

export const metadata = { title: 'References' };

export default async function Page() {
  await getPageAccount();
  return <ReferencesPage />;
}
