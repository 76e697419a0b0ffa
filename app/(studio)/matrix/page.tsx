import { Known } from '#components/layout/known';
import { MatrixPage } from '#components/matrix/matrix-page';
import { getPageAccount } from '#lib/auth/page-account';
import { catalogResponse } from '#lib/catalog/catalog-response';

export const metadata = { title: 'Matrix' };

export default async function Page() {
  await getPageAccount('/matrix');
  return (
    <Known catalog={catalogResponse().body.architectures}>
      <MatrixPage />
    </Known>
  );
}
