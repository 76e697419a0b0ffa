import { EditPage } from '#components/engines/edit-page';

export const metadata = { title: 'Engine' };

export default async function Page({ params }: PageProps<'/admin/engines/edit/[engine_id]'>) {
  const { engine_id } = await params;
  return <EditPage id={engine_id} />;
}
