import { ApiKeys } from '#components/account/api-keys';
import { getPageAccount } from '#lib/auth/page-account';
import { catalog } from '#lib/catalog/catalog';
import { env } from '#lib/env';

export const metadata = { title: 'API' };

export default async function ApiPage() {
  await getPageAccount();
  const architectures = catalog().list();
  const first = architectures.find(({ type }) => type === 'image') ?? architectures[0];
  const example = first && { baseUrl: env().BASE_URL, architecture: first.id };
  const names = Object.fromEntries(architectures.map(({ id, name }) => [id, name]));
  return <ApiKeys example={example ?? null} names={names} />;
}
