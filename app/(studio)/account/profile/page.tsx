import { Profile } from '#components/account/profile';
import { getPageAccount } from '#lib/auth/page-account';

export const metadata = { title: 'Profile' };

export default async function ProfilePage() {
  await getPageAccount('/account/profile');
  return <Profile />;
}
