import { notFound } from 'next/navigation';
import { ModelPage } from '#components/docs/model-page';
import { readApi } from '#lib/docs/read-api';
import { findPageAccount } from '#lib/auth/page-account';
import { catalogResponse } from '#lib/catalog/catalog-response';

interface Props {
  params: Promise<{ architecture: string }>;
}

async function find(params: Props['params']) {
  const { architecture } = await params;
  const { operations, schemas } = readApi();
  const entry = catalogResponse().body.architectures.find(({ id }) => id === architecture);
  const operation = operations.find(({ id }) => id === `generate_${architecture}`);
  return entry && operation ? { entry, operation, schemas } : notFound();
}

export async function generateMetadata({ params }: Props) {
  return { title: (await find(params)).entry.name };
}

export default async function Page({ params }: Props) {
  const account = (await findPageAccount())?.id;
  return <ModelPage {...await find(params)} account={account} />;
}
