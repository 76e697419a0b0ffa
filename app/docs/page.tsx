import { Quickstart } from '#components/docs/quickstart';
import { EmptyState } from '#components/ui/empty-state';
import { catalog } from '#lib/catalog/catalog';
import { toCatalogEntry } from '#lib/catalog/to-entry';
import { env } from '#lib/env';

export const metadata = { title: 'Quickstart' };

export default function Page() {
  const { BASE_URL } = env();
  const architectures = catalog().list();
  const example = architectures.find(({ type }) => type === 'image') ?? architectures[0];
  if (!example) return <EmptyState title="There is no model yet">The operator adds them to the catalog.</EmptyState>;
  return <Quickstart baseUrl={BASE_URL} example={toCatalogEntry(example, BASE_URL)} />;
}
