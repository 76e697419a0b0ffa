import { WorkflowPage } from '#components/workflows/workflow-page';

export const metadata = { title: 'Workflow' };

export default async function Page({ params }: PageProps<'/admin/engines/workflows/[workflow_id]'>) {
  const { workflow_id } = await params;
  return <WorkflowPage id={workflow_id} />;
}
