import { ConsentOver } from '#components/connect/consent-over';

export const metadata = { title: 'Not connected' };

export default async function RefusedPage({ searchParams }: PageProps<'/oauth/consent/refused'>) {
  return <ConsentOver reason={(await searchParams).reason} />;
}
