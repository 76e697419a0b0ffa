import { NoticesPage } from '#components/notices/notices-page';
import { getPageAccount } from '#lib/auth/page-account';

export const metadata = { title: 'Notices' };

export default async function Notices() {
  await getPageAccount();
  return <NoticesPage />;
}
