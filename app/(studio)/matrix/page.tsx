import { MatrixPage } from '#components/matrix/matrix-page';
import { CatalogProvider } from '#components/studio/catalog-provider';
import { getPageAccount } from '#lib/auth/page-account';
import { catalogResponse } from '#lib/catalog/catalog-response';

export const metadata = { title: 'Matrix' };

export default async function Page() {
  await getPageAccount('/matrix');
  return (
    <CatalogProvider architectures={catalogResponse().body.architectures}>
      <MatrixPage />
    </CatalogProvider>
  );
}
