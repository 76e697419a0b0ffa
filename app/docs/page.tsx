import { DocsHome } from '#components/docs/docs-home';
import { docsPages } from '#lib/docs/pages';

export const metadata = { title: { absolute: 'Pomona API' } };

export default function Page() {
  return <DocsHome pages={docsPages()} />;
}
