import { ConnectPage } from '#components/engines/connect-page';

export const metadata = { title: 'Connect an engine' };

export default async function Page({ searchParams }: PageProps<'/admin/engines/connect'>) {
  const { url } = await searchParams;
  return <ConnectPage url={typeof url === 'string' ? url : ''} />;
}
