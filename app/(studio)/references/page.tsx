import { ReferencesPage } from '#components/references/references-page';
import { Known } from '#components/layout/known';
import { getPageAccount } from '#lib/auth/page-account';
import { listReferences } from '#lib/cast/references';
import { answer } from '#lib/client/answer';
import { referencesQuery } from '#lib/client/cast-queries';

export const metadata = { title: 'References' };

/** An empty list is known immediately, so that a button shown only with entries does not appear and disappear. */
export default async function Page() {
  const { id } = await getPageAccount();
  const { data } = await listReferences(id, { limit: 1 });
  return (
    <Known answers={data.length ? [] : [answer(referencesQuery, [])]}>
      <ReferencesPage />
    </Known>
  );
}
