import { cookies } from 'next/headers';
import { FRAME_COOKIE, readFrame } from '#components/history/gallery-frame';
import { daysIn } from '#components/history/days-in';
import { HistoryPage } from '#components/history/history-page';
import { readFilter } from '#components/history/history-filter';
import { isPhone } from '#components/layout/is-phone';
import { getPageAccount } from '#lib/auth/page-account';
import { catalogResponse } from '#lib/catalog/catalog-response';
import { FIRST_PAGE } from '#lib/client/history-queries';
import { countExpiring, readHistoryPage } from '#lib/generations/history-page';

export const metadata = { title: 'History' };

/** The first page of results is part of the document, laid out for this browser, so that images load immediately. */
export default async function Page({ searchParams }: PageProps<'/history'>) {
  const query = await searchParams;
  const { id } = await getPageAccount();
  const filter = readFilter(name => [query[name]].flat()[0]);
  const [page, expiring] = await Promise.all([readHistoryPage(id, filter, FIRST_PAGE), countExpiring(id, FIRST_PAGE)]);
  const { width, zone } = readFrame((await cookies()).get(FRAME_COOKIE)?.value, await isPhone());
  const dayOf = daysIn(zone);
  const days = new Map(page.data.map(({ created_at }) => [created_at, dayOf(created_at)]));
  const models = catalogResponse().body.architectures.map(({ id, name, type }) => ({ id, name, type }));
  return <HistoryPage first={{ filter, page }} expiring={expiring} frame={{ width, days }} models={models} />;
}
