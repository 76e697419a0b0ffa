import type { ReactNode } from 'react';
import { cookies } from 'next/headers';
import { isPhone } from '#components/layout/is-phone';
import { Known } from '#components/layout/known';
import { CreatePage } from '#components/studio/create-page';
import { LAST_ARCHITECTURE_COOKIE } from '#components/studio/last-architecture';
import { readGemsOverview } from '#lib/accounts/gems-overview';
import { getPageAccount } from '#lib/auth/page-account';
import { catalogResponse } from '#lib/catalog/catalog-response';
import { gemsQuery } from '#lib/client/account-queries';
import { answer } from '#lib/client/answer';
import { FIRST_PAGE } from '#lib/client/history-queries';
import { examplesQuery } from '#lib/client/prompt-queries';
import { catalogQuery } from '#lib/client/queries';
import { listExamples } from '#lib/generations/examples';
import { readHistoryPage } from '#lib/generations/history-page';
import { examplesToWire } from '#lib/library/to-wire';

/** Composer and stage stay mounted while the user switches models. The newest requests are part of the document. */
export default async function CreateLayout({ children }: { children: ReactNode }) {
  const { id } = await getPageAccount();
  const { revision, body } = catalogResponse();
  const last = (await cookies()).get(LAST_ARCHITECTURE_COOKIE)?.value;
  const [page, gems, examples] = await Promise.all([
    readHistoryPage(id, {}, FIRST_PAGE),
    readGemsOverview(id),
    listExamples(),
  ]);
  const answers = [
    answer(catalogQuery, body.architectures),
    answer(examplesQuery, examplesToWire(examples).data),
    answer(gemsQuery, gems),
  ];
  return (
    <Known answers={answers}>
      <CreatePage last={last} revision={revision} first={{ filter: {}, page }} isPhone={await isPhone()}>
        {children}
      </CreatePage>
    </Known>
  );
}
