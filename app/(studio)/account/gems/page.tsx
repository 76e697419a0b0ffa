import { Gems } from '#components/account/gems';
import { readGemsOverview } from '#lib/accounts/gems-overview';
import { getPageAccount } from '#lib/auth/page-account';
import { catalog } from '#lib/catalog/catalog';
import { readUsage } from '#lib/generations/usage';

export const metadata = { title: 'Gems' };

/** Balance and usage are part of the document: their size is not known in advance and would shift the layout. */
export default async function GemsPage({ searchParams }: PageProps<'/account/gems'>) {
  const { id } = await getPageAccount();
  const { payment, cancelled } = await searchParams;
  const names = Object.fromEntries(
    catalog()
      .list()
      .map(({ id, name }) => [id, name]),
  );
  const [gems, usage] = await Promise.all([readGemsOverview(id), readUsage(id, 30)]);
  const back = typeof payment === 'string' ? { id: payment, isCancelled: cancelled !== undefined } : null;
  return <Gems first={{ gems, usage }} names={names} payment={back} />;
}
