import { EmptyState } from '#components/ui/empty-state';

export const metadata = { title: 'Create' };

/** The layout shows the model that this browser used last; this page is for a catalog without models. */
export default function Page() {
  return <EmptyState title="There are no models yet">The operator adds them to the catalog.</EmptyState>;
}
