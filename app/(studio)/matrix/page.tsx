import { cookies } from 'next/headers';
import { Known } from '#components/layout/known';
import { MatrixPage } from '#components/matrix/matrix-page';
import { LAST_ARCHITECTURE_COOKIE } from '#components/studio/last-architecture';
import { getPageAccount } from '#lib/auth/page-account';
import { catalogResponse } from '#lib/catalog/catalog-response';
import { answer } from '#lib/client/answer';
import { catalogQuery } from '#lib/client/queries';

export const metadata = { title: 'Matrix' };

export default async function Page() {
  await getPageAccount();
  const last = (await cookies()).get(LAST_ARCHITECTURE_COOKIE)?.value;
  return (
    <Known answers={[answer(catalogQuery, catalogResponse().body.architectures)]}>
      <MatrixPage last={last} />
    </Known>
  );
}
