import { EmptyState } from '#components/ui/empty-state';

export const metadata = { title: 'Create' };

/** The layout shows the model that was used last in this browser; this is for a catalog without any. */
export default function Page() {
  return <EmptyState title="There are no models yet">The operator adds them to the catalog.</EmptyState>;
}
