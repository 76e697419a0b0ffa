import { cache } from 'react';
import { nameOf } from '#components/generations/name-of';
import { ResultPage } from '#components/history/result-page';
import { getPageAccount, orNotFound } from '#lib/auth/page-account';
import { beginning } from '#lib/beginning';
import { catalogResponse } from '#lib/catalog/catalog-response';
import { getGeneration } from '#lib/generations/read';
import { toDetailWire } from '#lib/generations/to-wire';

/** Returns the current state of a request, for its owner only. */
const read = cache(async (id: string) => {
  const account = await getPageAccount();
  return toDetailWire(await orNotFound(getGeneration(account.id, id)));
});

export async function generateMetadata({ params }: PageProps<'/history/[id]'>) {
  const request = await read((await params).id);
  return { title: beginning(nameOf(request), 60) || 'Result' };
}

export default async function Page({ params }: PageProps<'/history/[id]'>) {
  return <ResultPage first={await read((await params).id)} entries={catalogResponse().body.architectures} />;
}
