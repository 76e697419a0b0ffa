import type { ReactNode } from 'react';
import { CatalogProvider } from '#components/studio/catalog-provider';
import { getPageAccount } from '#lib/auth/page-account';
import { catalogResponse } from '#lib/catalog/catalog-response';

export default async function CreateLayout({ children }: { children: ReactNode }) {
  await getPageAccount('/create');
  return <CatalogProvider architectures={catalogResponse().body.architectures}>{children}</CatalogProvider>;
}
