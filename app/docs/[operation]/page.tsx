import { notFound } from 'next/navigation';
import { OperationPage } from '#components/docs/operation-page';
import { readOpenapi } from '#components/docs/read-openapi';
import { findPageAccount } from '#lib/auth/page-account';
import { env } from '#lib/env';
import { openapiDocument } from '#lib/openapi';

interface Props {
  params: Promise<{ operation: string }>;
}

async function find(params: Props['params']) {
  const { operation: id } = await params;
  const { operations, schemas } = readOpenapi(openapiDocument());
  const operation = operations.find(other => other.id === id && !id.startsWith('generate_'));
  return { operation: operation ?? notFound(), schemas };
}

export async function generateMetadata({ params }: Props) {
  return { title: (await find(params)).operation.summary };
}

export default async function Page({ params }: Props) {
  const signedIn = (await findPageAccount()) !== null;
  return <OperationPage {...await find(params)} baseUrl={env().BASE_URL} signedIn={signedIn} />;
}
