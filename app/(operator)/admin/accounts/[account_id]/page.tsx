import { AccountDetail } from '#components/admin/account-detail';

export const metadata = { title: 'Account' };

export default async function AccountPage({ params }: PageProps<'/admin/accounts/[account_id]'>) {
  const { account_id } = await params;
  return <AccountDetail id={account_id} />;
}
