import { UploadsPage } from '#components/uploads/uploads-page';
import { getPageAccount } from '#lib/auth/page-account';

export const metadata = { title: 'Uploads' };

export default async function Page() {
  await getPageAccount();
  return <UploadsPage />;
}
