import { Profile } from '#components/account/profile';
import { getPageAccount } from '#lib/auth/page-account';
import { signInOptions } from '#lib/auth/sign-in-options';

export const metadata = { title: 'Profile' };

export default async function ProfilePage() {
  await getPageAccount();
  const { providers, sendsMail } = signInOptions();
  return <Profile providers={providers} mails={sendsMail} />;
}
