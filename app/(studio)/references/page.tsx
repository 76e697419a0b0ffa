import { ReferencesPage } from '#components/references/references-page';
import { Known } from '#components/layout/known';
import { getPageAccount } from '#lib/auth/page-account';
import { listReferences } from '#lib/cast/references';
import { answer } from '#lib/client/answer';
import { referencesQuery } from '#lib/client/cast-queries';

export const metadata = { title: 'References' };

/** Whoever has none is told so at once: a button that only those with some have would come and go. */
export default async function Page() {
  const { id } = await getPageAccount();
  const { data } = await listReferences(id, { limit: 1 });
  return (
    <Known answers={data.length ? [] : [answer(referencesQuery, [])]}>
      <ReferencesPage />
    </Known>
  );
}
