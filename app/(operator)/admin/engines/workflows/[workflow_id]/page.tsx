import { cache } from 'react';
import { WorkflowPage } from '#components/workflows/workflow-page';
import { getPageOperator, orNotFound } from '#lib/auth/page-account';
import { getWorkflow } from '#lib/operator/workflows';

/** Returns the workflow, for operators only. */
const read = cache(async (id: string) => {
  await getPageOperator();
  return orNotFound(Promise.resolve(id).then(getWorkflow));
});

export async function generateMetadata({ params }: PageProps<'/admin/engines/workflows/[workflow_id]'>) {
  return { title: String((await read((await params).workflow_id)).architecture.name) };
}

export default async function Page({ params }: PageProps<'/admin/engines/workflows/[workflow_id]'>) {
  const { workflow_id } = await params;
  await read(workflow_id);
  return <WorkflowPage id={workflow_id} />;
}
