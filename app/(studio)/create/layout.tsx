import type { ReactNode } from 'react';
import { cookies, headers } from 'next/headers';
import { CatalogProvider } from '#components/studio/catalog-provider';
import { CreatePage } from '#components/studio/create-page';
import { getPageAccount } from '#lib/auth/page-account';
import { catalogResponse } from '#lib/catalog/catalog-response';
import { FIRST_PAGE } from '#lib/client/history-queries';
import { readHistoryPage } from '#lib/generations/history-page';

/** Composer and stage stay while the address goes from model to model; the newest work comes with the document. */
export default async function CreateLayout({ children }: { children: ReactNode }) {
  const { id } = await getPageAccount('/create');
  const { revision, body } = catalogResponse();
  const last = (await cookies()).get('architecture')?.value;
  const isPhone = /Mobi/.test((await headers()).get('user-agent') ?? '');
  const page = await readHistoryPage(id, {}, FIRST_PAGE);
  return (
    <CatalogProvider architectures={body.architectures}>
      <CreatePage last={last} revision={revision} first={{ filter: {}, page }} isPhone={isPhone}>
        {children}
      </CreatePage>
    </CatalogProvider>
  );
}
