import { Gems } from '#components/account/gems';
import { getPageAccount } from '#lib/auth/page-account';
import { catalog } from '#lib/catalog/catalog';

export const metadata = { title: 'Gems' };

export default async function GemsPage({ searchParams }: PageProps<'/account/gems'>) {
  await getPageAccount('/account/gems');
  const { payment } = await searchParams;
  const names = Object.fromEntries(
    catalog()
      .list()
      .map(({ id, name }) => [id, name]),
  );
  return <Gems names={names} payment={typeof payment === 'string' ? payment : null} />;
}
