import { cookies } from 'next/headers';
import { CreatePage } from '#components/studio/create-page';
import { EmptyState } from '#components/ui/empty-state';
import { catalogResponse } from '#lib/catalog/catalog-response';

export const metadata = { title: 'Create' };

/** Opens with the model that was used last in this browser. */
export default async function Page() {
  const { revision, body } = catalogResponse();
  const last = (await cookies()).get('architecture')?.value;
  const entry = body.architectures.find(({ id }) => id === last) ?? body.architectures[0];
  if (!entry) return <EmptyState title="There is no model yet">The operator adds them to the catalog.</EmptyState>;
  return <CreatePage id={entry.id} revision={revision} />;
}
