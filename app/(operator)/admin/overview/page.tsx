import { Overview } from '#components/admin/overview';

export const metadata = { title: 'Overview' };

export default function Page() {
  return <Overview />;
}
