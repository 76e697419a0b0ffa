import { AllRequests } from '#components/admin/all-requests';

export const metadata = { title: 'Requests' };

export default async function AllRequestsPage({ searchParams }: PageProps<'/admin/requests'>) {
  const { account } = await searchParams;
  return <AllRequests accountId={typeof account === 'string' ? account : undefined} />;
}
