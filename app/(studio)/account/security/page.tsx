import { Security } from '#components/security/security';
import { getPageAccount } from '#lib/auth/page-account';
import { signInProviders } from '#lib/auth/providers';

export const metadata = { title: 'Security' };

export default async function SecurityPage() {
  await getPageAccount();
  return <Security providers={signInProviders()} />;
}
