import { notFound } from 'next/navigation';
import { GuidePage } from '#components/docs/guide-page';
import { OperationPage } from '#components/docs/operation-page';
import { findPageAccount } from '#lib/auth/page-account';
import { docsPages, findDocsPage } from '#lib/docs/pages';
import { readApi } from '#lib/docs/read-api';
import { env } from '#lib/env';

interface Props {
  params: Promise<{ page: string }>;
}

const find = async (params: Props['params']) => findDocsPage(`/docs/${(await params).page}`) ?? notFound();

export async function generateMetadata({ params }: Props) {
  const { path, title, summary } = await find(params);
  return { title, description: summary, alternates: { types: { 'text/markdown': `${path}.md` } } };
}

export default async function Page({ params }: Props) {
  const page = await find(params);
  if (page.kind === 'guide') {
    const guides = docsPages().filter(({ kind }) => kind === 'guide');
    return <GuidePage {...page} next={guides[guides.indexOf(page) + 1]} />;
  }
  const { operations, schemas } = readApi();
  const operation = operations.find(({ id }) => page.path === `/docs/${id}`) ?? notFound();
  const account = (await findPageAccount())?.id;
  return <OperationPage operation={operation} schemas={schemas} baseUrl={env().BASE_URL} account={account} />;
}
