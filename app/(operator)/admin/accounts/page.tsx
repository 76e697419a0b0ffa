import { Accounts } from '#components/admin/accounts';

export const metadata = { title: 'Accounts' };

export default function AccountsPage() {
  return <Accounts />;
}
