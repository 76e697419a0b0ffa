import { cache } from 'react';
import { notFound } from 'next/navigation';
import { ResultPage } from '#components/history/result-page';
import { getPageAccount } from '#lib/auth/page-account';
import { catalogResponse } from '#lib/catalog/catalog-response';
import { AppError } from '#lib/errors';
import { getGeneration } from '#lib/generations/read';
import { toDetailWire } from '#lib/generations/to-wire';

interface Props {
  params: Promise<{ id: string }>;
}

/** The request as it stands, for its owner alone. */
const read = cache(async (id: string) => {
  const account = await getPageAccount(`/history/${id}`);
  const generation = await getGeneration(account.id, id).catch((error: unknown) => {
    if (error instanceof AppError) notFound();
    throw error;
  });
  return toDetailWire(generation);
});

export async function generateMetadata({ params }: Props) {
  const { prompt } = await read((await params).id);
  return { title: prompt.slice(0, 60) || 'Result' };
}

export default async function Page({ params }: Props) {
  return <ResultPage first={await read((await params).id)} entries={catalogResponse().body.architectures} />;
}
