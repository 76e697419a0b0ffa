import { ImportPage } from '#components/workflows/import-page';

export const metadata = { title: 'Import a workflow' };

export default async function Page({ searchParams }: PageProps<'/admin/engines/import'>) {
  const { replaces } = await searchParams;
  return <ImportPage replaces={typeof replaces === 'string' ? replaces : undefined} />;
}
